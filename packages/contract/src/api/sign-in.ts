import { email, name, time, timeZone } from '../fields.ts'
import { Preferences } from '../languages.ts'
import { AccountLink, PendingInvitation, SignedIn } from '../roles.ts'
import { route } from '../route.ts'
import { array, boolean, nullable, object, type Static, text } from '../schema.ts'
import { SignInAnswer, typed } from './factors.ts'

export const newPassword = text({ minLength: 12, maxLength: 1024 })
const tag = 'Sign in'
const fromOwnPages = { by: 'anyone', fromOwnPages: true } as const

/** A browser in which the person is signed in. */
export const OpenSession = object({
  id: text(),
  createdAt: time(),
  lastSeenAt: time('Recorded at least every five minutes'),
  address: nullable(text(), { description: 'Where the session was opened' }),
  browser: nullable(text(), { description: 'For example Firefox on Linux' }),
  isCurrent: boolean({ description: 'The session that asks' }),
})
export interface OpenSession extends Static<typeof OpenSession> {}

/** Signing in and out, invitations and the first start. */
export const signInRoutes = {
  getSession: route({
    method: 'GET',
    path: '/api/session',
    access: { by: 'session' },
    tag,
    summary: 'The signed-in person, and what they may see',
    reply: SignedIn,
  }),
  signIn: route({
    method: 'POST',
    path: '/api/session',
    access: fromOwnPages,
    tag,
    summary: 'Sign in; the session is a cookie',
    description:
      'With a second factor, the reply says so and there is no session until POST /api/session/second-factor.',
    body: object({ email: typed, password: typed }),
    reply: SignInAnswer,
  }),
  signOut: route({
    method: 'DELETE',
    path: '/api/session',
    access: { by: 'session' },
    tag,
    summary: 'Sign out',
    status: 204,
  }),
  changePassword: route({
    method: 'PUT',
    path: '/api/session/password',
    access: { by: 'session', fresh: true },
    tag,
    summary: 'Change your own password; all your other sessions end',
    body: object({ current: typed, password: newPassword }),
    status: 204,
  }),
  changePreferences: route({
    method: 'PUT',
    path: '/api/session/preferences',
    access: { by: 'session' },
    tag,
    summary: 'Choose your language, and how you see times and numbers',
    body: Preferences,
    reply: SignedIn,
  }),
  listSessions: route({
    method: 'GET',
    path: '/api/session/all',
    access: { by: 'session' },
    tag,
    summary: 'List your open sessions, the last used first',
    reply: object({ sessions: array(OpenSession) }),
  }),
  endOtherSessions: route({
    method: 'DELETE',
    path: '/api/session/all',
    access: { by: 'session' },
    tag,
    summary: 'End all your other sessions',
    status: 204,
  }),
  endSession: route({
    method: 'DELETE',
    path: '/api/session/all/:sessionId',
    access: { by: 'session' },
    tag,
    summary: 'End one of your sessions',
    status: 204,
  }),
  resetPassword: route({
    method: 'POST',
    path: '/api/session/reset',
    access: fromOwnPages,
    tag,
    summary: 'Ask for a mail with a link to set a new password; the answer is the same for every address',
    body: object({ email: typed }),
    status: 202,
    reply: object({ message: text() }),
  }),
  listInvitations: route({
    method: 'GET',
    path: '/api/session/invitations',
    access: { by: 'session' },
    tag,
    summary: 'List the organizations that invited you and wait for your answer',
    reply: object({ invitations: array(PendingInvitation) }),
  }),
  joinByLink: route({
    method: 'POST',
    path: '/api/session/invitations',
    access: { by: 'session' },
    tag,
    summary: 'Join an organization with the link it sent you',
    body: object({ token: typed }),
    reply: SignedIn,
  }),
  joinOrganization: route({
    method: 'PUT',
    path: '/api/session/invitations/:orgId',
    access: { by: 'session' },
    tag,
    summary: 'Join an organization without its link, if you set your password with a mailed link',
    reply: SignedIn,
  }),
  declineInvitation: route({
    method: 'DELETE',
    path: '/api/session/invitations/:orgId',
    access: { by: 'session' },
    tag,
    summary: 'Decline the invitation of an organization',
    status: 204,
  }),
  findInvitation: route({
    method: 'POST',
    path: '/api/invitation',
    access: { by: 'anyone' },
    tag,
    summary: 'Who a link was made for, and what it does',
    body: object({ token: typed }),
    reply: AccountLink,
  }),
  acceptInvitation: route({
    method: 'PUT',
    path: '/api/invitation',
    access: fromOwnPages,
    tag,
    summary: 'Set a password with a link, once, and sign in',
    description: 'With a second factor, the reply says so, as when you sign in.',
    body: object({ token: typed, password: newPassword }),
    reply: SignInAnswer,
  }),
  getSetup: route({
    method: 'GET',
    path: '/api/setup',
    access: { by: 'anyone' },
    tag,
    summary: 'Whether this is a first start: no one can sign in yet',
    reply: object({
      needed: boolean(),
      resetByMail: boolean({ description: 'People can reset their password by mail' }),
    }),
  }),
  setUp: route({
    method: 'POST',
    path: '/api/setup',
    access: fromOwnPages,
    tag,
    summary: 'Set up a first start, with the token from the log of the server',
    body: object({ token: typed, organization: name, site: name, timeZone, email, password: newPassword }),
    reply: SignedIn,
  }),
} as const
