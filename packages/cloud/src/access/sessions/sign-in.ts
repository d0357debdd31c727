import { Failure } from '@plantroom/contract/failure'
import type { SignedIn } from '@plantroom/contract/roles'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserStore } from '../people/user-store.ts'
import { sessionTokenIn, storeSession } from './session-cookie.ts'
import { LONGEST_SESSION_MS, type Sessions } from './sessions.ts'

/** Opens a session for an authenticated person: sets the cookie and returns the body of the answer. */
export type SignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  person: { userId: string; passwordHash: string },
) => Promise<SignedIn>

export function createSignIn(deps: { sessions: Sessions; users: Pick<UserStore, 'signedIn'> }): SignIn {
  const { sessions, users } = deps
  return async (request, reply, { userId, passwordHash }) => {
    const before = sessionTokenIn(request.headers.cookie)
    if (before !== undefined) await sessions.close(before)
    const token = await sessions.open(userId, passwordHash)
    const signedIn = token === undefined ? undefined : await users.signedIn(userId)
    if (token === undefined || !signedIn) {
      throw new Failure('unauthenticated', 'the account was changed by another request: sign in again')
    }
    void reply.header('set-cookie', storeSession(token, LONGEST_SESSION_MS / 1000)).header('cache-control', 'no-store')
    return signedIn
  }
}
