import type { Clock } from '@plantroom/base/clock'

const FIRST_DELAY_MS = 5_000
const LONGEST_DELAY_MS = 300_000

/**
 * Paths that did not answer while the server answered other questions. Asking for them together with others would
 * delay those each time, so they rest for 5 seconds at first and for up to 5 minutes when they stay silent.
 */
export interface SilentPaths {
  /** Why the path did not answer; `undefined` where it answered last or was never asked. */
  reason(path: string): string | undefined
  /** True where the path may be asked: it answered last, or has rested for long enough. */
  isDue(path: string): boolean
  noteSilent(path: string, reason: string): void
  /** Where it ends a silence, other silent paths may be asked too: they often share its cause. */
  noteAnswer(path: string): void
}

interface Entry {
  delayMs: number
  /** By the monotonic clock: the end of the rest, or the time of the answer that ended the silence. */
  at: number
  reason: string | undefined
}

export function createSilentPaths(clock: Clock): SilentPaths {
  const entries = new Map<string, Entry>()

  function nextDelay(path: string): number {
    const before = entries.get(path)
    // A path that falls silent again soon after an answer is not trusted sooner than last time.
    const isRepeated = before && (before.reason !== undefined || clock.monotonic() - before.at < LONGEST_DELAY_MS)
    return isRepeated ? Math.min(before.delayMs * 2, LONGEST_DELAY_MS) : FIRST_DELAY_MS
  }

  return {
    reason: (path) => entries.get(path)?.reason,
    isDue(path) {
      const entry = entries.get(path)
      return entry?.reason === undefined || clock.monotonic() >= entry.at
    },
    noteSilent(path, reason) {
      const delayMs = nextDelay(path)
      entries.set(path, { delayMs, at: clock.monotonic() + delayMs, reason })
    },
    noteAnswer(path) {
      const entry = entries.get(path)
      if (entry?.reason === undefined) return
      entry.reason = undefined
      for (const each of entries.values()) each.at = Math.min(each.at, clock.monotonic())
      entry.at = clock.monotonic()
    },
  }
}
