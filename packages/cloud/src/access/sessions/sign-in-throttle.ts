import { isIP } from 'node:net'
import type { Clock } from '@plantroom/base/clock'
import { hashSecret } from '../secrets.ts'
import type { SessionStore } from './session-store.ts'

const PERIOD_MS = 15 * 60_000
/** Everyone in an office shares one address. */
const PER_ADDRESS = 50
const PER_ACCOUNT_AND_ADDRESS = 5
/** Looser, so that someone who knows an e-mail address cannot lock its owner out. */
const PER_ACCOUNT = 100

export interface Attempt {
  /** The password was correct: undoes the count of this attempt. */
  succeeded(): Promise<void>
}

/** Limits how often passwords can be guessed. The counts are in the database. */
export interface SignInThrottle {
  /** Call before checking a password: the attempt counts as failed until it `succeeded`. */
  begin(email: string, address: string): Promise<Attempt | { retryAfterMs: number }>
}

export function createSignInThrottle(deps: {
  store: Pick<SessionStore, 'countFailure' | 'clearFailures' | 'uncountFailure'>
  clock: Clock
}): SignInThrottle {
  const { store, clock } = deps
  return {
    async begin(email, address) {
      const pair = hashSecret(JSON.stringify(['pair', email, address]))
      const ofAddress = hashSecret(JSON.stringify(['address', address]))
      const ofAccount = hashSecret(JSON.stringify(['account', email]))
      // The narrowest limit first, so that an attempt it refuses does not count against others.
      const bounds = [
        [pair, PER_ACCOUNT_AND_ADDRESS],
        [ofAddress, PER_ADDRESS],
        [ofAccount, PER_ACCOUNT],
      ] as const
      for (const [subject, limit] of bounds) {
        const now = clock.now()
        const periodEnd = new Date(now + PERIOD_MS)
        const { failures, endsAt } = await store.countFailure(subject, { now: new Date(now), periodEnd, limit })
        if (failures > limit) return { retryAfterMs: Math.max(1000, endsAt.getTime() - now) }
      }
      return {
        async succeeded() {
          await store.clearFailures(pair)
          await store.uncountFailure(ofAddress)
          await store.uncountFailure(ofAccount)
        },
      }
    },
  }
}

/**
 * The address sign-in attempts are counted by: all of an IPv4 address, or the first half of an IPv6 address, because
 * callers can choose the second. `X-Forwarded-For` counts only when a proxy on this machine sent it.
 */
export function callerAddress(socketAddress: string | undefined, forwardedFor: string | undefined): string {
  const seen = plain(socketAddress ?? '')
  const lastHop = plain(forwardedFor?.split(',').at(-1)?.trim() ?? '')
  return network(isLoopback(seen) && isIP(lastHop) ? lastHop : seen)
}

/** Removes the zone, and turns an IPv4 address mapped to IPv6 back into IPv4. */
function plain(address: string): string {
  const [withoutZone = ''] = address.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)
  return mapped?.[1] ?? withoutZone
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

function network(address: string): string {
  if (isIP(address) !== 6) return address
  const [before = '', after] = address.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after ? after.split(':') : []
  const missing = Math.max(0, 8 - head.length - tail.length)
  const groups = after === undefined ? head : [...head, ...Array<string>(missing).fill('0'), ...tail]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
