import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../routes/index.ts'
import { hashSecret, isToken } from '../secrets.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { SignIn } from '../sessions/sign-in.ts'
import type { InvitationStore } from './invitation-store.ts'

export interface InvitationRouteDeps {
  invitations: InvitationStore
  passwords: Passwords
  signIn: SignIn
  clock: Clock
}

/** Links that let people set their password. The token is sent in the body, because URLs end up in logs. */
export function invitationRoutes(app: FastifyInstance, deps: InvitationRouteDeps): void {
  const { invitations, passwords, signIn, clock } = deps

  async function find(token: string) {
    const invited = isToken(token) ? await invitations.find(hashSecret(token), new Date(clock.now())) : undefined
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
    const userId = await invitations.accept(hashSecret(token), passwordHash, new Date(clock.now()))
    if (userId === undefined) throw expired()
    return signIn(request, reply, { userId, passwordHash })
  })
}

const expired = () =>
  new Failure(
    'notFound',
    'this link was already used or has expired: ask an administrator of your organization for a new one',
  )
