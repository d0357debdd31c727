import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addRoute } from '../../routes/index.ts'
import type { UserStore } from '../people/user-store.ts'
import { hashSecret } from '../secrets.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions, SignIn } from './sessions.ts'
import { DELETE_SESSION, sessionTokenIn } from './sessions.ts'
import type { Attempt, SignInThrottle } from './sign-in-throttle.ts'
import { callerAddress } from './sign-in-throttle.ts'

interface SessionRouteDeps {
  users: Pick<UserStore, 'findByEmail' | 'changePassword' | 'signedIn'>
  sessions: Sessions
  passwords: Passwords
  throttle: SignInThrottle
  signIn: SignIn
}

/** Signs people in and out, and changes their password. */
export function sessionRoutes(app: FastifyInstance, deps: SessionRouteDeps): void {
  const { users, sessions, passwords, throttle, signIn } = deps

  async function begin(request: FastifyRequest, reply: FastifyReply, email: string): Promise<Attempt> {
    const forwarded = request.headers['x-forwarded-for']
    const address = callerAddress(request.socket.remoteAddress, [forwarded].flat().at(-1))
    const attempt = await throttle.begin(email, address)
    if ('succeeded' in attempt) return attempt
    const seconds = Math.ceil(attempt.retryAfterMs / 1000)
    void reply.header('retry-after', seconds)
    const minutes = Math.ceil(seconds / 60)
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
    throw new Failure('tooMany', `too many failed attempts to sign in: try again in ${wait}`)
  }

  addRoute(app, API.getSession, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const found = await users.signedIn(request.userId ?? '')
    if (!found) throw new Failure('unauthenticated', 'this account no longer exists')
    return found
  })

  addRoute(app, API.signIn, async (request, reply) => {
    const email = request.body.email.trim().toLowerCase()
    const attempt = await begin(request, reply, email)
    const user = await users.findByEmail(email)
    const passwordHash = user?.passwordHash ?? null
    const isRight = await passwords.verify(passwordHash, request.body.password)
    if (!isRight || !user || passwordHash === null) {
      throw new Failure('unauthenticated', 'wrong e-mail address or password')
    }
    await attempt.succeeded()
    return signIn(request, reply, { userId: user.id, passwordHash })
  })

  addRoute(app, API.signOut, async (request, reply) => {
    const token = sessionTokenIn(request.headers.cookie)
    if (token !== undefined) await sessions.close(token)
    return reply.code(204).header('set-cookie', DELETE_SESSION).send()
  })

  addRoute(app, API.changePassword, async (request, reply) => {
    const { userId = '', email = '' } = request
    const attempt = await begin(request, reply, email)
    const before = (await users.findByEmail(email))?.passwordHash ?? null
    if (!(await passwords.verify(before, request.body.current)) || before === null) {
      throw new Failure('invalid', 'current is not your current password', 'current')
    }
    await attempt.succeeded()
    const after = await passwords.hash(request.body.password)
    const ownSession = hashSecret(sessionTokenIn(request.headers.cookie) ?? '')
    if (!(await users.changePassword(userId, { before, after, ownSession }))) {
      throw new Failure('conflict', 'your password was changed by another request: sign in again')
    }
  })
}
