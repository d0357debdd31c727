import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { foldEmail } from '@plantroom/contract/fold-email'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Db, explainConflicts } from '../../../platform/db/database.ts'
import { addRoute } from '../../../platform/routes/index.ts'
import { type ActivityLog, type Note, organizationsOf } from '../../activity/index.ts'
import { hashSecret, isToken, type SetupToken } from '../secrets.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { BeginSignIn } from '../sessions/sessions.ts'
import { createLinkStore, type LinkStore, signInFirst } from './link-store.ts'
import { createPendingStore, type PendingStore } from './pending-store.ts'
import { createUserStore, type UserStore } from './user-store.ts'

interface UserRouteDeps {
  users: Pick<UserStore, 'signedIn'>
  links: Pick<LinkStore, 'find'>
  pending: Pick<PendingStore, 'list'>
  activity: ActivityLog
  passwords: Passwords
  setupToken: Pick<SetupToken, 'forget'>
  beginSignIn: BeginSignIn
  clock: Clock
}

/** Adds administrators for the operator, and lets people answer invitations and set their password with a link. */
export function userRoutes(app: FastifyInstance, deps: UserRouteDeps): void {
  const { activity, passwords, setupToken } = deps

  addRoute(app, API.addUser, async (request) => {
    const { orgId } = request.params
    const email = foldEmail(request.body.email)
    const passwordHash = await passwords.hashFor('operator', request.body.password)
    const user = { id: newId('usr'), email, passwordHash, organizationId: orgId }
    const added = activity.change(request, async (tx, note) => {
      await createUserStore(tx).addAdministrator(user)
      const subject = { kind: 'person', id: user.id, name: email } as const
      note({ organizationId: orgId, action: 'member-added', subject, details: { role: 'admin' } })
    })
    await explainConflicts(added, {
      user_account_email_key: new Failure('conflict', `there is already a user ${shown(email)}`),
      membership_organization_id_fkey: new Failure('notFound', `there is no organization ${shown(orgId)}`),
    })
    // An administrator exists: the first setup is over.
    await setupToken.forget()
    return { id: user.id, email }
  })

  linkRoutes(app, deps)
  pendingRoutes(app, deps)
}

/** Links of invitations and new passwords. The token is sent in the body, because URLs end up in logs. */
function linkRoutes(app: FastifyInstance, { links, activity, passwords, beginSignIn, clock }: UserRouteDeps): void {
  async function find(token: string) {
    const found = isToken(token) ? await links.find(hashSecret(token), new Date(clock.now())) : undefined
    if (!found) throw expired()
    return found
  }

  addRoute(app, API.findInvitation, async (request) => {
    return find(request.body.token)
  })

  addRoute(app, API.acceptInvitation, async (request, reply) => {
    const { token, password } = request.body
    // Checked before hashing, which is expensive.
    const { email, purpose } = await find(token)
    if (purpose === 'join') throw signInFirst(email)
    const passwordHash = await passwords.hashFor(email, password)
    const used = await activity.change(request, async (tx, note) => {
      const link = await createLinkStore(tx).setPassword(hashSecret(token), passwordHash, new Date(clock.now()))
      if (link) await noteUse(tx, note, link, request.actor.address)
      return link
    })
    if (!used) throw expired()
    return beginSignIn(request, reply, { userId: used.userId, passwordHash })
  })
}

/** Notes what a link did. Only the person has it, so they are who acted. */
async function noteUse(
  tx: Db,
  note: Note,
  { userId, email, organizationId }: { userId: string; email: string; organizationId: string | null },
  address: string | null,
): Promise<void> {
  const by = { kind: 'person', id: userId, name: email, address } as const
  const subject = { kind: 'person', id: userId, name: email } as const
  if (organizationId !== null) return note({ organizationId, action: 'member-joined', subject, by })
  note({
    organizationId: await organizationsOf(tx, userId),
    action: 'password-changed',
    subject,
    by,
    details: { with: 'link' },
  })
}

/** The invitations of the signed-in person. Nothing in another organization changes until they accept. */
function pendingRoutes(app: FastifyInstance, { users, pending, activity, clock }: UserRouteDeps): void {
  async function signedIn({ userId = '', hasSecondFactor }: FastifyRequest) {
    const found = await users.signedIn(userId, hasSecondFactor)
    if (!found) throw new Failure('unauthenticated', 'this account no longer exists')
    return found
  }

  addRoute(app, API.listInvitations, async (request) => {
    return { invitations: await pending.list(request.userId ?? '') }
  })

  addRoute(app, API.joinByLink, async (request) => {
    const { userId = '', email } = request
    const { token } = request.body
    const joined = await activity.change(request, async (tx, note) => {
      const at = new Date(clock.now())
      const link = isToken(token) ? await createLinkStore(tx).join(hashSecret(token), userId, at) : undefined
      if (link) await noteUse(tx, note, link, request.actor.address)
      return link
    })
    if (!joined) {
      throw new Failure(
        'notFound',
        `this link is not an invitation for ${email}, or it was already used or has expired: sign in as the person it was made for, or ask for a new one`,
      )
    }
    return signedIn(request)
  })

  addRoute(app, API.joinOrganization, async (request) => {
    const { userId = '' } = request
    await activity.change(request, async (tx, note) => {
      await createPendingStore(tx).join(userId, request.params.orgId)
      note({ organizationId: request.params.orgId, action: 'member-joined', subject: themselves(request) })
    })
    return signedIn(request)
  })

  addRoute(app, API.declineInvitation, async (request) => {
    const { orgId } = request.params
    await activity.change(request, async (tx, note) => {
      await createPendingStore(tx).decline(request.userId ?? '', orgId)
      note({ organizationId: orgId, action: 'invitation-declined', subject: themselves(request) })
    })
  })
}

const themselves = ({ actor: { id, name } }: Pick<FastifyRequest, 'actor'>) => ({ kind: 'person', id, name }) as const

const expired = () =>
  new Failure(
    'notFound',
    'this link was already used or has expired: ask an administrator of your organization for a new one',
  )
