import type { Clock } from '@plantroom/base/clock'
import { hashSecret } from './api-key.ts'
import type { Membership } from './person-reach.ts'
import { makeToken } from './session-cookie.ts'
import type { SessionStore } from './session-store.ts'

const DAY_MS = 86_400_000
const IDLE_MS = 7 * DAY_MS
/** How long a session lasts at most, however much it is used. */
export const LONGEST_SESSION_MS = 30 * DAY_MS
/** How far behind the written time of the last use may be: no write for every request. */
const SEEN_MS = 5 * 60_000

/** Whoever is signed in. */
export interface SignedInPerson {
  userId: string
  email: string
  memberships: readonly Membership[]
}

/**
 * The sessions of people. Each use asks the database, so what ends a session, or takes a role away, ends it at once in
 * every process: people are few, unlike keys.
 */
export interface Sessions {
  /** Returns the token, which is kept nowhere; `undefined` when the person is gone or has another password by now. */
  open(userId: string, passwordHash: string): Promise<string | undefined>
  /** Whose session it is, or `undefined` when there is none, or it has ended. */
  find(token: string): Promise<SignedInPerson | undefined>
  close(token: string): Promise<void>
}

export function createSessions(deps: {
  store: Pick<SessionStore, 'add' | 'find' | 'touch' | 'remove'>
  clock: Clock
}): Sessions {
  const { store, clock } = deps
  return {
    async open(userId, passwordHash) {
      const token = makeToken()
      const hash = hashSecret(token)
      const now = clock.now()
      const isOpen = await store.add({ hash, userId, passwordHash, at: new Date(now), expiresAt: expiry(now, now) })
      return isOpen ? token : undefined
    },

    async find(token) {
      const hash = hashSecret(token)
      const now = clock.now()
      const found = await store.find(hash, new Date(now))
      if (!found) return undefined
      const { userId, email, memberships, createdAt, lastSeenAt } = found
      if (now - lastSeenAt.getTime() >= SEEN_MS) {
        await store.touch(hash, new Date(now), expiry(createdAt.getTime(), now))
      }
      return { userId, email, memberships }
    },

    close: (token) => store.remove(hashSecret(token)),
  }
}

function expiry(createdAt: number, lastSeen: number): Date {
  return new Date(Math.min(lastSeen + IDLE_MS, createdAt + LONGEST_SESSION_MS))
}
