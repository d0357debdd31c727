import type { Clock } from './clock.ts'

const FIRST_MS = 1_000
const LONGEST_MS = 60_000
/** A connection that lasted this long ends a row of failures. */
const STABLE_MS = 30_000

/** Delays between attempts to connect, so that many clients that lost one server do not all come back together. */
export interface Backoff {
  /** The connection is up. */
  connected(): void
  /** Returns how long to wait after an attempt failed or a connection was lost. */
  next(): number
}

/**
 * Exponential backoff with full jitter: any delay up to 1 s for the first retry, up to 60 s for the seventh and those
 * after it. Starts over once a connection has lasted 30 s.
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
