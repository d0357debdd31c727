import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Clock } from '@plantroom/base/clock'
import { hashSecret, makeToken, secretMatches } from '../secrets.ts'
import { COOKIE_ATTRIBUTES, cookieIn } from '../sessions/cookies.ts'

const MINUTE_MS = 60_000
/** How long a person may take at the provider. */
export const PENDING_MS = 10 * MINUTE_MS
/** Does not begin with the name of the session cookie, which requests are searched for. */
export const PENDING_COOKIE = '__Host-oidc-plantroom'
const IV_BYTES = 12
const TAG_BYTES = 16

/** What the browser went to the provider for. */
export type Purpose =
  | { do: 'sign-in' }
  /** Link the account of this session. */
  | { do: 'link'; sessionId: string }
  /** Accept the invitation with this token: as a new account, or sign in to join. */
  | { do: 'accept' | 'join'; token: string }

/** A sign-in that continues at the provider. */
export interface PendingSignIn {
  purpose: Purpose
  returnTo: string
  /** Random. The provider returns the state with the browser and the nonce in the ID token; the verifier redeems the code. */
  state: string
  nonce: string
  verifier: string
  expiresAt: number
}

/** Pending sign-ins. Each is an encrypted cookie, so it belongs to one browser, and strangers fill no table. */
export interface PendingSignIns {
  /** Starts one and returns the `Set-Cookie` header that stores it. */
  start(purpose: Purpose, returnTo: string): { pending: PendingSignIn; cookie: string }
  /** Returns the pending sign-in of this browser that has this state; `undefined` when there is none or it expired. */
  find(cookies: string | undefined, state: string | null): PendingSignIn | undefined
}

/** The `Set-Cookie` header that deletes a pending sign-in from the browser. */
export const DELETE_PENDING = `${PENDING_COOKIE}=; Max-Age=0; ${COOKIE_ATTRIBUTES}`

/** All processes of a service have the client secret, so each can read what another wrote. */
export function createPendingSignIns({ secret, clock }: { secret: string; clock: Clock }): PendingSignIns {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'plantroom pending sign-in', 32))

  function seal(pending: PendingSignIn): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    const text = Buffer.concat([cipher.update(JSON.stringify(pending), 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
  }

  function unseal(sealed: string): PendingSignIn | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
      return JSON.parse(text.toString('utf8'))
    } catch {
      return undefined
    }
  }

  return {
    start(purpose, returnTo) {
      const random = { state: makeToken(), nonce: makeToken(), verifier: makeToken() }
      const pending = { purpose, returnTo, ...random, expiresAt: clock.now() + PENDING_MS }
      const cookie = `${PENDING_COOKIE}=${seal(pending)}; Max-Age=${PENDING_MS / 1000}; ${COOKIE_ATTRIBUTES}`
      return { pending, cookie }
    },

    find(cookies, state) {
      const sealed = cookieIn(cookies, PENDING_COOKIE)
      const pending = sealed === undefined ? undefined : unseal(sealed)
      if (!pending || state === null || pending.expiresAt <= clock.now()) return undefined
      return secretMatches(state, hashSecret(pending.state)) ? pending : undefined
    },
  }
}
