import type { Clock } from './clock.ts'

const FIRST_MS = 1_000
const LONGEST_MS = 60_000
/** A connection that lasted this long resets the delays. */
const STABLE_MS = 30_000

/**
 * Delays between connection attempts, randomized so that many clients do not reconnect to one server at the same time.
 */
export interface Backoff {
  /** Records that the connection is up. */
  connected(): void
  /** Returns the delay after a failed attempt or a lost connection. */
  next(): number
}

/**
 * Creates an exponential backoff with full jitter: up to 1 s before the first retry, up to 60 s from the seventh on. It
 * starts over once a connection has lasted 30 s.
 */
export function createBackoff(clock: Clock, random: () => number = Math.random): Backoff {
  let failures = 0
  let connectedAt: number | undefined
  return {
    connected() {
      connectedAt = clock.monotonic()
    },
    next() {
      if (connectedAt !== undefined && clock.monotonic() - connectedAt >= STABLE_MS) failures = 0
      connectedAt = undefined
      const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** failures)
      failures = Math.min(failures + 1, LONGEST_MS / FIRST_MS)
      return random() * ceiling
    },
  }
}
