import { Failure } from '@plantroom/contract/failure'
import type { SignedIn } from '@plantroom/contract/roles'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keepSession, sessionTokenIn } from './session-cookie.ts'
import { LONGEST_SESSION_MS, type Sessions } from './sessions.ts'
import type { UserStore } from './user-store.ts'

/** Opens a session for someone who has proved who they are: sets the cookie and returns what is answered. */
export type SignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  proved: { userId: string; passwordHash: string },
) => Promise<SignedIn>

export function createSignIn(deps: { sessions: Sessions; users: Pick<UserStore, 'signedIn'> }): SignIn {
  const { sessions, users } = deps
  return async (request, reply, { userId, passwordHash }) => {
    const before = sessionTokenIn(request.headers.cookie)
    if (before !== undefined) await sessions.close(before)
    const token = await sessions.open(userId, passwordHash)
    const signedIn = token === undefined ? undefined : await users.signedIn(userId)
    if (token === undefined || !signedIn) {
      throw new Failure('unauthenticated', 'the account was changed at this very moment: sign in again')
    }
    void reply.header('set-cookie', keepSession(token, LONGEST_SESSION_MS / 1000)).header('cache-control', 'no-store')
    return signedIn
  }
}
