import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { explainConflicts } from '../../db/database.ts'
import { addRoute } from '../../routes/index.ts'
import { hashSecret, isToken } from '../secrets.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { BeginSignIn } from '../sessions/sessions.ts'
import { type LinkStore, signInFirst } from './link-store.ts'
import type { PendingStore } from './pending-store.ts'
import type { UserStore } from './user-store.ts'

interface UserRouteDeps {
  users: Pick<UserStore, 'addAdministrator' | 'signedIn'>
  links: LinkStore
  pending: PendingStore
  passwords: Passwords
  beginSignIn: BeginSignIn
  clock: Clock
}

/** Adds administrators for the operator, and lets people answer invitations and set their password with a link. */
export function userRoutes(app: FastifyInstance, deps: UserRouteDeps): void {
  const { users, passwords } = deps

  addRoute(app, API.addUser, async (request) => {
    const { orgId } = request.params
    const email = request.body.email.toLowerCase()
    const passwordHash = await passwords.hash(request.body.password)
    const user = { id: newId('usr'), email, passwordHash, organizationId: orgId }
    await explainConflicts(users.addAdministrator(user), {
      user_account_email_key: new Failure('conflict', `there is already a user ${shown(email)}`),
      membership_organization_id_fkey: new Failure('notFound', `there is no organization ${shown(orgId)}`),
    })
    return { id: user.id, email }
  })

  linkRoutes(app, deps)
  pendingRoutes(app, deps)
}

/** Links of invitations and new passwords. The token is sent in the body, because URLs end up in logs. */
function linkRoutes(app: FastifyInstance, { links, passwords, beginSignIn, clock }: UserRouteDeps): void {
  async function find(token: string) {
    const found = isToken(token) ? await links.find(hashSecret(token), new Date(clock.now())) : undefined
    if (!found) throw expired()
    return found
  }

  addRoute(app, API.findInvitation, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    return find(request.body.token)
  })

  addRoute(app, API.acceptInvitation, async (request, reply) => {
    const { token, password } = request.body
    // Checked before hashing, which is expensive.
    const { email, purpose } = await find(token)
    if (purpose === 'join') throw signInFirst(email)
    const passwordHash = await passwords.hash(password)
    const userId = await links.setPassword(hashSecret(token), passwordHash, new Date(clock.now()))
    if (userId === undefined) throw expired()
    return beginSignIn(request, reply, { userId, passwordHash })
  })
}

/** The invitations of the signed-in person. Nothing in another organization changes until they accept. */
function pendingRoutes(app: FastifyInstance, { users, links, pending, clock }: UserRouteDeps): void {
  async function signedIn({ userId = '', hasSecondFactor }: FastifyRequest) {
    const found = await users.signedIn(userId, hasSecondFactor)
    if (!found) throw new Failure('unauthenticated', 'this account no longer exists')
    return found
  }

  addRoute(app, API.listInvitations, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    return { invitations: await pending.list(request.userId ?? '') }
  })

  addRoute(app, API.joinByLink, async (request) => {
    const { userId = '', email } = request
    const { token } = request.body
    const isTheirs = isToken(token) && (await links.join(hashSecret(token), userId, new Date(clock.now())))
    if (!isTheirs) {
      throw new Failure(
        'notFound',
        `this link is not an invitation for ${email}, or it was already used or has expired: sign in as the person it was made for, or ask for a new one`,
      )
    }
    return signedIn(request)
  })

  addRoute(app, API.joinOrganization, async (request) => {
    await pending.join(request.userId ?? '', request.params.orgId)
    return signedIn(request)
  })

  addRoute(app, API.declineInvitation, async (request) => {
    await pending.decline(request.userId ?? '', request.params.orgId)
  })
}

const expired = () =>
  new Failure(
    'notFound',
    'this link was already used or has expired: ask an administrator of your organization for a new one',
  )
