import type { InvitedMember, Member, MemberRoles, SignedIn } from '@plantroom/contract/roles'
import type { Send } from './http.ts'

export type { InvitedMember } from '@plantroom/contract/roles'

export interface SetUp {
  token: string
  organization: string
  site: string
  /** IANA name. */
  timeZone: string
  email: string
  password: string
}

export type SessionClient = ReturnType<typeof createSessionClient>

/** Signing in and out, and who may. For a browser: the session is a cookie. */
export function createSessionClient(send: Send) {
  const members = (orgId: string) => `/api/orgs/${encodeURIComponent(orgId)}/members`
  const member = (orgId: string, userId: string) => `${members(orgId)}/${encodeURIComponent(userId)}`
  return {
    /** Rejects with 401 when nobody is signed in. */
    whoAmI: () => send<SignedIn>('GET', '/api/session'),
    signIn: (email: string, password: string) => send<SignedIn>('POST', '/api/session', { email, password }),
    signOut: () => send<void>('DELETE', '/api/session'),
    /** Ends all other sessions of this person. */
    changePassword: (current: string, password: string) =>
      send<void>('PUT', '/api/session/password', { current, password }),

    /** Whether this is a first start: nobody can sign in yet. */
    needsSetUp: async () => (await send<{ needed: boolean }>('GET', '/api/setup')).needed,
    setUp: (first: SetUp) => send<SignedIn>('POST', '/api/setup', first),
    /** Whose link it is; rejects with 404 when it was used or is too old. */
    invitation: (token: string) => send<{ email: string }>('POST', '/api/invitation', { token }),
    acceptInvitation: (token: string, password: string) =>
      send<SignedIn>('PUT', '/api/invitation', { token, password }),

    members: async (orgId: string) => (await send<{ members: Member[] }>('GET', members(orgId))).members,
    addMember: (orgId: string, added: { email: string } & MemberRoles) =>
      send<InvitedMember>('POST', members(orgId), added),
    changeMember: (orgId: string, userId: string, roles: MemberRoles) =>
      send<Member>('PATCH', member(orgId, userId), roles),
    removeMember: (orgId: string, userId: string) => send<void>('DELETE', member(orgId, userId)),
    /** For someone who lost their password or their link. The link before ends; the old password and all sessions do when the new one is used. */
    renewLink: (orgId: string, userId: string) => send<InvitedMember>('POST', `${member(orgId, userId)}/link`),
  }
}
