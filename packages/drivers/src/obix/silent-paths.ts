import type { Clock } from '@plantroom/base/clock'

const FIRST_DELAY_MS = 5_000
const MAX_DELAY_MS = 300_000

/**
 * Remembers paths that did not answer while the server answered other requests. Reading them together with others would
 * delay those each time, so they are paused for 5 seconds at first, and for up to 5 minutes while they stay silent.
 */
export interface SilentPaths {
  /** Returns why the path did not answer; `undefined` if it answered last or was never read. */
  reason(path: string): string | undefined
  /** Returns true if the path may be read: it answered last, or its pause is over. */
  isDue(path: string): boolean
  noteSilent(path: string, reason: string): void
  /** Records an answer. If it ends a silence, other silent paths become due too: they often share a cause. */
  noteAnswer(path: string): void
}

interface Entry {
  delayMs: number
  /** The monotonic end of the pause, or the time of the answer that ended the silence. */
  at: number
  reason: string | undefined
}

export function createSilentPaths(clock: Clock): SilentPaths {
  const entries = new Map<string, Entry>()

  function nextDelay(path: string): number {
    const before = entries.get(path)
    // A path that falls silent again soon after an answer gets a longer pause than last time.
    const isRepeated = before && (before.reason !== undefined || clock.monotonic() - before.at < MAX_DELAY_MS)
    return isRepeated ? Math.min(before.delayMs * 2, MAX_DELAY_MS) : FIRST_DELAY_MS
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
