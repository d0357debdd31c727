import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { foldEmail } from '@plantroom/contract/fold-email'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addRoute, callerNetwork } from '../../../platform/routes/index.ts'
import type { ActivityLog, Refusals } from '../../activity/index.ts'
import { ofThemselves } from '../own-activity.ts'
import { createUserStore, type UserStore } from '../people/user-store.ts'
import { hashSecret } from '../secrets.ts'
import type { Attempts } from './attempts.ts'
import { sessionTokenIn } from './cookies.ts'
import type { Passwords } from './passwords.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'
import { type BeginSignIn, DELETE_SESSION } from './sessions.ts'

interface SessionRouteDeps {
  users: Pick<UserStore, 'findByEmail' | 'signedIn'>
  store: Pick<SessionStore, 'list'>
  activity: ActivityLog
  refusals: Pick<Refusals, 'add'>
  passwords: Passwords
  attempts: Attempts
  beginSignIn: BeginSignIn
  clock: Clock
}

/** Signs people in and out, and changes their password. */
export function sessionRoutes(app: FastifyInstance, deps: SessionRouteDeps): void {
  const { users, activity, refusals, passwords, attempts, beginSignIn } = deps

  async function signedIn({ userId = '', hasSecondFactor }: FastifyRequest) {
    const found = await users.signedIn(userId, hasSecondFactor)
    if (!found) throw new Failure('unauthenticated', 'this account no longer exists')
    return found
  }

  addRoute(app, API.getSession, async (request) => {
    return signedIn(request)
  })

  addRoute(app, API.changePreferences, async (request) => {
    const { language, locale } = request.body
    await activity.change(request, async (tx, note) => {
      await createUserStore(tx).setPreferences(request.userId ?? '', { language, locale })
      note({ ...(await ofThemselves(tx, request)), action: 'preferences-changed', details: { language, locale } })
    })
    return signedIn(request)
  })

  addRoute(app, API.signIn, async (request, reply) => {
    const email = foldEmail(request.body.email.trim())
    let user: Awaited<ReturnType<typeof users.findByEmail>>
    const isRight = await attempts.withPassword({ request, reply }, email, async ({ verify }) => {
      user = await users.findByEmail(email)
      return verify(user?.passwordHash ?? null, request.body.password)
    })
    const passwordHash = user?.passwordHash ?? null
    if (!isRight || !user || passwordHash === null) {
      const network = callerNetwork(request.ip, request.socket.remoteAddress)
      // What was typed is not recorded unless it is an account: people type passwords into the wrong field.
      const reason = user ? 'wrong-password' : 'unknown-account'
      refusals.add({ action: 'sign-in-failed', reason, network, person: user && { id: user.id, email } })
      throw new Failure('unauthenticated', 'wrong e-mail address or password')
    }
    return beginSignIn(request, reply, { userId: user.id, passwordHash })
  })

  addRoute(app, API.signOut, async (request, reply) => {
    const token = sessionTokenIn(request.headers.cookie)
    await activity.change(request, async (tx, note) => {
      if (token === undefined) return
      await createSessionStore(tx).remove(hashSecret(token))
      note({ ...(await ofThemselves(tx, request)), action: 'signed-out' })
    })
    return reply.code(204).header('set-cookie', DELETE_SESSION).send()
  })

  addRoute(app, API.changePassword, async (request, reply) => {
    const { userId = '', email = '' } = request
    const before = (await users.findByEmail(email))?.passwordHash ?? null
    const { current, password } = request.body
    const isRight = await attempts.withPassword({ request, reply }, email, ({ verify }) => verify(before, current))
    if (!isRight || before === null) {
      const network = callerNetwork(request.ip, request.socket.remoteAddress)
      refusals.add({ action: 'sign-in-failed', reason: 'wrong-password', network, person: { id: userId, email } })
      throw new Failure('invalid', 'current is not your current password', 'current')
    }
    const after = await passwords.hashFor(email, password)
    const ownSession = hashSecret(sessionTokenIn(request.headers.cookie) ?? '')
    await activity.change(request, async (tx, note) => {
      if (!(await createUserStore(tx).changePassword(userId, { before, after, ownSession }))) {
        throw new Failure('conflict', 'your password was changed by another request: sign in again')
      }
      note({ ...(await ofThemselves(tx, request)), action: 'password-changed' })
    })
  })

  openSessionRoutes(app, deps)
}

/** Lists and ends the sessions of the signed-in person. */
function openSessionRoutes(app: FastifyInstance, { store, activity, clock }: SessionRouteDeps): void {
  addRoute(app, API.listSessions, async (request) => {
    const open = await store.list(request.userId ?? '', new Date(clock.now()))
    return { sessions: open.map((session) => ({ ...session, isCurrent: session.id === request.sessionId })) }
  })

  addRoute(app, API.endOtherSessions, async (request) => {
    await activity.change(request, async (tx, note) => {
      const ended = await createSessionStore(tx).endOthers(request.userId ?? '', request.sessionId ?? '')
      if (ended > 0) note({ ...(await ofThemselves(tx, request)), action: 'session-ended', details: { ended } })
    })
  })

  addRoute(app, API.endSession, async (request) => {
    const { sessionId } = request.params
    await activity.change(request, async (tx, note) => {
      if (!(await createSessionStore(tx).end(request.userId ?? '', sessionId))) {
        throw new Failure('notFound', `you have no session ${shown(sessionId)}`)
      }
      note({ ...(await ofThemselves(tx, request)), action: 'session-ended', details: { ended: 1 } })
    })
  })
}
