import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../../db/database.ts'
import { addRoute } from '../../routes/index.ts'
import { hashSecret, isToken } from '../secrets.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { SignIn } from '../sessions/sessions.ts'
import type { UserStore } from './user-store.ts'

interface UserRouteDeps {
  users: Pick<UserStore, 'addAdministrator' | 'findInvitation' | 'acceptInvitation'>
  passwords: Passwords
  signIn: SignIn
  clock: Clock
}

/** Adds administrators for the operator, and lets invited people set their password. */
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

  invitationRoutes(app, deps)
}

/** Invitation links. The token is sent in the body, because URLs end up in logs. */
function invitationRoutes(app: FastifyInstance, { users, passwords, signIn, clock }: UserRouteDeps): void {
  async function find(token: string) {
    const invited = isToken(token) ? await users.findInvitation(hashSecret(token), new Date(clock.now())) : undefined
    if (!invited) throw expired()
    return invited
  }

  addRoute(app, API.findInvitation, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    return find(request.body.token)
  })

  addRoute(app, API.acceptInvitation, async (request, reply) => {
    const { token, password } = request.body
    // Checked before hashing, which is expensive.
    await find(token)
    const passwordHash = await passwords.hash(password)
    const userId = await users.acceptInvitation(hashSecret(token), passwordHash, new Date(clock.now()))
    if (userId === undefined) throw expired()
    return signIn(request, reply, { userId, passwordHash })
  })
}

const expired = () =>
  new Failure(
    'notFound',
    'this link was already used or has expired: ask an administrator of your organization for a new one',
  )
