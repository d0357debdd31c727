import type { Clock } from '@plantroom/base/clock'

const FIRST_DELAY_MS = 5_000
const MAX_DELAY_MS = 300_000

/**
 * Remembers addresses that did not answer while the equipment answered other requests. Reading them together with others would
 * delay those each time, so they are paused for 5 seconds at first, and for up to 5 minutes while they stay silent.
 */
export interface SilentAddresses {
  /** Returns why the address did not answer; `undefined` if it answered last or was never read. */
  reason(address: string): string | undefined
  /** Returns true if the address may be read: it answered last, or its pause is over. */
  isDue(address: string): boolean
  noteSilent(address: string, reason: string): void
  /** Records an answer. If it ends a silence, other silent addresses become due too: they often share a cause. */
  noteAnswer(address: string): void
}

interface Entry {
  delayMs: number
  /** The monotonic end of the pause, or the time of the answer that ended the silence. */
  at: number
  reason: string | undefined
}

export function createSilentAddresses(clock: Clock): SilentAddresses {
  const entries = new Map<string, Entry>()

  function nextDelay(address: string): number {
    const before = entries.get(address)
    // An address that falls silent again soon after an answer gets a longer pause than last time.
    const isRepeated = before && (before.reason !== undefined || clock.monotonic() - before.at < MAX_DELAY_MS)
    return isRepeated ? Math.min(before.delayMs * 2, MAX_DELAY_MS) : FIRST_DELAY_MS
  }

  return {
    reason: (address) => entries.get(address)?.reason,
    isDue(address) {
      const entry = entries.get(address)
      return entry?.reason === undefined || clock.monotonic() >= entry.at
    },
    noteSilent(address, reason) {
      const delayMs = nextDelay(address)
      entries.set(address, { delayMs, at: clock.monotonic() + delayMs, reason })
    },
    noteAnswer(address) {
      const entry = entries.get(address)
      if (entry?.reason === undefined) return
      entry.reason = undefined
      for (const each of entries.values()) each.at = Math.min(each.at, clock.monotonic())
      entry.at = clock.monotonic()
    },
  }
}
