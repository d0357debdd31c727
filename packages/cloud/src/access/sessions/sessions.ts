import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Membership } from '../authorize-person.ts'
import { hashSecret, makeToken } from '../secrets.ts'
import type { SessionStore } from './session-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const IDLE_MS = 7 * DAY_MS
/** The longest a session lasts, however often it is used. */
export const LONGEST_SESSION_MS = 30 * DAY_MS
/** How old the stored time of the last use may get, so that not every request writes. */
const SEEN_MS = 5 * 60_000

/** The person a session belongs to. */
export interface SignedInPerson {
  userId: string
  email: string
  memberships: readonly Membership[]
}

/**
 * The sessions of people. Each use asks the database, so a session or role that ends does so immediately in every
 * process. Unlike keys, people make few requests.
 */
export interface Sessions {
  /** Returns the token, which is not stored; `undefined` when the account is gone or its password has changed. */
  open(userId: string, passwordHash: string): Promise<string | undefined>
  /** Returns the person of an open session; `undefined` when the session is unknown or has ended. */
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

/** Deletes expired sessions, invitations and sign-in failures every hour; the returned function stops it. */
export function startSessionSweep(deps: {
  store: Pick<SessionStore, 'removeExpired'>
  clock: Clock
  log: Log
}): () => void {
  const { store, clock, log } = deps
  return every(clock, HOUR_MS, () => {
    store
      .removeExpired(new Date(clock.now()))
      .catch((error: Error) => log.warn({ error: error.message }, 'could not delete expired sessions'))
  })
}

function expiry(createdAt: number, lastSeen: number): Date {
  return new Date(Math.min(lastSeen + IDLE_MS, createdAt + LONGEST_SESSION_MS))
}
