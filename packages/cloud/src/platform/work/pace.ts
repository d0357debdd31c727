import type { Clock } from '@plantroom/base/clock'

/** Beyond so many keys in a window, new ones are refused: a caller who makes them up must not fill the memory. */
const MAX_KEYS = 100_000

interface Share {
  key: string
  /** In a window. */
  most: number
}

/** Bounds how often something begins in a window of time, for each of several keys, in this process. */
export interface Pace {
  /** Counts for all keys. Returns the share that is used up, and after how long to try again. */
  take(shares: readonly Share[]): { key: string; retryAfterMs: number } | undefined
}

export function createPace(clock: Clock, windowMs: number): Pace {
  let windowEnd = 0
  const counts = new Map<string, number>()
  return {
    take(shares) {
      const now = clock.monotonic()
      if (now >= windowEnd) {
        counts.clear()
        windowEnd = now + windowMs
      }
      const used = shares.find(({ key, most }) => {
        const count = counts.get(key)
        return count === undefined ? counts.size >= MAX_KEYS : count >= most
      })
      if (used) return { key: used.key, retryAfterMs: windowEnd - now }
      for (const { key } of shares) counts.set(key, (counts.get(key) ?? 0) + 1)
      return undefined
    },
  }
}
