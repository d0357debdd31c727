import type { Clock } from '@plantroom/base/clock'
import { hashSecret, makeToken } from '../secrets.ts'
import { COOKIE_ATTRIBUTES, tokenIn } from './cookies.ts'
import type { SessionStore } from './session-store.ts'

const KEPT_MS = 180 * 86_400_000
/** Does not begin with the name of the session cookie, which requests are searched for. */
export const DEVICE_COOKIE = '__Host-device-plantroom'

/** What a request to sign in shows of its sender. */
interface Sender {
  /** The `Cookie` header. */
  cookies: string | undefined
  network: string
}

/**
 * Browsers and networks that signed in to an account before; a browser by an unguessable cookie. Failed attempts of others
 * do not count against them, so nobody can lock out a person who comes back with the right password.
 */
export interface KnownDevices {
  /** Returns the browser if it signed in to this account before. Asks the database only about a well-formed cookie. */
  findBrowser(cookies: string | undefined, email: string): Promise<string | undefined>
  isKnownNetwork(network: string, email: string): Promise<boolean>
  /** Remembers both for an account and returns the `Set-Cookie` header for the browser. */
  remember(sender: Sender, user: { id: string; email: string }): Promise<string>
}

export function createKnownDevices(deps: {
  store: Pick<SessionStore, 'isKnownDevice' | 'rememberDevice'>
  clock: Clock
}): KnownDevices {
  const { store, clock } = deps
  const ofDevice = (device: string, email: string) => hashSecret(JSON.stringify(['device', device, email]))
  const ofNetwork = (network: string, email: string) => hashSecret(JSON.stringify(['network', network, email]))
  const isKnown = (subject: Buffer) => store.isKnownDevice(subject, new Date(clock.now()))
  return {
    async findBrowser(cookies, email) {
      const device = tokenIn(cookies, DEVICE_COOKIE)
      return device !== undefined && (await isKnown(ofDevice(device, email))) ? device : undefined
    },

    isKnownNetwork: (network, email) => isKnown(ofNetwork(network, email)),

    async remember({ cookies, network }, { id, email }) {
      const device = tokenIn(cookies, DEVICE_COOKIE) ?? makeToken()
      const until = new Date(clock.now() + KEPT_MS)
      await store.rememberDevice(ofDevice(device, email), id, until)
      await store.rememberDevice(ofNetwork(network, email), id, until)
      return `${DEVICE_COOKIE}=${device}; Max-Age=${KEPT_MS / 1000}; ${COOKIE_ATTRIBUTES}`
    },
  }
}
