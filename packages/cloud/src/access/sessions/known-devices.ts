import type { Clock } from '@plantroom/base/clock'
import { hashSecret, makeToken } from '../secrets.ts'
import { COOKIE_ATTRIBUTES, tokenIn } from './cookies.ts'
import type { SessionStore } from './session-store.ts'

const KEPT_MS = 180 * 86_400_000
/** Does not begin with the name of the session cookie, which requests are searched for. */
export const DEVICE_COOKIE = '__Host-device-plantroom'

/**
 * Browsers that signed in to an account before, by an unguessable cookie. Failed attempts of others do not count against
 * them, so nobody can lock out a person who comes back with the right password.
 */
export interface KnownDevices {
  /** Returns the browser behind a `Cookie` header if it signed in to this account before. */
  find(cookies: string | undefined, email: string): Promise<string | undefined>
  /** Remembers the browser for an account and returns the `Set-Cookie` header for it. */
  remember(cookies: string | undefined, user: { id: string; email: string }): Promise<string>
}

export function createKnownDevices(deps: {
  store: Pick<SessionStore, 'isKnownDevice' | 'rememberDevice'>
  clock: Clock
}): KnownDevices {
  const { store, clock } = deps
  const subject = (device: string, email: string) => hashSecret(JSON.stringify(['device', device, email]))
  return {
    async find(cookies, email) {
      const device = tokenIn(cookies, DEVICE_COOKIE)
      if (device === undefined) return undefined
      return (await store.isKnownDevice(subject(device, email), new Date(clock.now()))) ? device : undefined
    },

    async remember(cookies, { id, email }) {
      const device = tokenIn(cookies, DEVICE_COOKIE) ?? makeToken()
      await store.rememberDevice(subject(device, email), id, new Date(clock.now() + KEPT_MS))
      return `${DEVICE_COOKIE}=${device}; Max-Age=${KEPT_MS / 1000}; ${COOKIE_ATTRIBUTES}`
    },
  }
}
