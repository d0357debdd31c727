import { type Clock, every } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { Log } from '@plantroom/base/log'
import type { SignInAnswer } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import type { SignedIn } from '@plantroom/contract/roles'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress, callerNetwork } from '../../../platform/routes/index.ts'
import type { ActivityLog } from '../../activity/index.ts'
import type { Membership } from '../authorize-person.ts'
import { createUserStore } from '../people/user-store.ts'
import { hashSecret, makeToken } from '../secrets.ts'
import { describeBrowser } from './browser.ts'
import { COOKIE_ATTRIBUTES, sessionTokenIn } from './cookies.ts'
import type { KnownDevices } from './known-devices.ts'
import { type AuthenticatedBy, createSessionStore, type SessionOrigin, type SessionStore } from './session-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const IDLE_MS = 7 * DAY_MS
/** The longest a session lasts, however often it is used. */
const LONGEST_SESSION_MS = 30 * DAY_MS
/** How old the stored time of the last use may get, so that not every request writes. */
const SEEN_MS = 5 * 60_000

/** How long a proof counts for actions that need a recent one. */
const FRESH_MS = 15 * 60_000

/** The person a session belongs to. */
interface SignedInPerson {
  sessionId: string
  userId: string
  email: string
  memberships: readonly Membership[]
  /** The person proved in the last 15 minutes who they are. */
  isFresh: boolean
  /** The session was opened with a second factor. */
  hasSecondFactor: boolean
}

/** Who has proved that they are this person, and how well. */
export interface ProvedPerson {
  userId: string
  /** The stored password, so that no session opens when it has changed; `null` for an account without one. */
  passwordHash: string | null
  /** A second factor was proved, too. */
  secondFactor?: boolean | undefined
  /** The provider that authenticated the person; none for a password. */
  provider?: AuthenticatedBy | undefined
}

/**
 * The sessions of people. Each use asks the database, so a session or role that ends does so immediately in every
 * process. Unlike keys, people make few requests.
 */
export interface Sessions {
  /** Returns the token, which is not stored; `undefined` when the account is gone or was changed in between. */
  open(person: ProvedPerson, from: SessionOrigin): Promise<string | undefined>
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
    async open(person, from) {
      const token = makeToken()
      const id = newId('ses')
      const now = clock.now()
      const times = { at: new Date(now), expiresAt: expiry(now, now) }
      const isOpen = await store.add({ hash: hashSecret(token), id, ...person, from, ...times })
      return isOpen ? token : undefined
    },

    async find(token) {
      const hash = hashSecret(token)
      const now = clock.now()
      const found = await store.find(hash, new Date(now))
      if (!found) return undefined
      const { id: sessionId, userId, email, memberships, createdAt, lastSeenAt, verifiedAt, hasSecondFactor } = found
      if (now - lastSeenAt.getTime() >= SEEN_MS) {
        await store.touch(hash, new Date(now), expiry(createdAt.getTime(), now))
      }
      const isFresh = now - verifiedAt.getTime() < FRESH_MS
      return { sessionId, userId, email, memberships, isFresh, hasSecondFactor }
    },

    close: (token) => store.remove(hashSecret(token)),
  }
}

/** Deletes expired sessions, links, known browsers and counts every hour; the returned function stops it. */
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

/** The `Set-Cookie` header that stores the session in the browser. */
const storeSession = (token: string) =>
  `${SESSION_COOKIE}=${token}; Max-Age=${LONGEST_SESSION_MS / 1000}; ${COOKIE_ATTRIBUTES}`

/** The `Set-Cookie` header that deletes the session from the browser. */
export const DELETE_SESSION = `${SESSION_COOKIE}=; Max-Age=0; ${COOKIE_ATTRIBUTES}`

/** Opens a session for an authenticated person: sets the cookie and returns the body of the answer. */
export type SignIn = (request: FastifyRequest, reply: FastifyReply, person: ProvedPerson) => Promise<SignedIn>

/** Opens a session for a person who proved one factor, or asks for the second one if they have one. */
export type BeginSignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  person: Omit<ProvedPerson, 'secondFactor'>,
) => Promise<SignInAnswer>

export function createSignIn(deps: {
  sessions: Pick<Sessions, 'close'>
  devices: KnownDevices
  activity: ActivityLog
  clock: Clock
}): SignIn {
  const { sessions, devices, activity, clock } = deps
  return async (request, reply, proved) => {
    const before = sessionTokenIn(request.headers.cookie)
    if (before !== undefined) await sessions.close(before)
    const address = callerAddress(request.ip, request.socket.remoteAddress)
    const from = { address, browser: describeBrowser(request.headers['user-agent']) }
    const { token, signedIn } = await activity.change(request, async (tx, note) => {
      const sessions = createSessions({ store: createSessionStore(tx), clock })
      const token = await sessions.open(proved, from)
      const signedIn =
        token === undefined
          ? undefined
          : await createUserStore(tx).signedIn(proved.userId, proved.secondFactor === true)
      if (token === undefined || !signedIn) {
        throw new Failure('unauthenticated', 'the account was changed by another request: sign in again')
      }
      const person = { kind: 'person', id: proved.userId, name: signedIn.user.email } as const
      const organizationId = signedIn.organizations.map(({ id }) => id)
      const by = { ...person, address }
      const provider = proved.provider?.issuer
      const details = { browser: from.browser, ...(provider !== undefined && { provider }) }
      note({ organizationId, action: 'signed-in', by, subject: person, details })
      return { token, signedIn }
    })
    const network = callerNetwork(request.ip, request.socket.remoteAddress)
    const deviceCookie = await devices.remember({ cookies: request.headers.cookie, network }, signedIn.user)
    void reply.header('set-cookie', [storeSession(token), deviceCookie])
    return signedIn
  }
}
