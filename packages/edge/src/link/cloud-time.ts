import type { Clock } from '@plantroom/base/clock'

/**
 * The cloud's time, independent of this controller's clock. Deadlines are in the cloud's time: on a controller whose
 * clock is an hour off, every command would otherwise be late, or none would ever be.
 */
export interface CloudTime {
  /** The best guess. */
  now(): number
  /** The latest that it can be, for deadlines: a command must not run after the cloud has told its caller that it did not. */
  latest(): number
  /** Returns a token to send with the question. The answer carries it back. */
  ask(): string
  /** Takes the cloud's answer. Returns false when it took too long to be accurate: ask again. */
  answered(asked: string, time: number): boolean
}

/** The time may be off by half of this. */
const LONGEST_ROUND_TRIP_MS = 2_000

export function createCloudTime(clock: Clock): CloudTime {
  let offset: number | undefined
  let largestOffset: number | undefined
  const nowWith = (added: number | undefined) => (added === undefined ? clock.now() : clock.monotonic() + added)

  return {
    // Until the cloud has answered, the controller's clock is the best guess.
    now: () => nowWith(offset),
    latest: () => nowWith(largestOffset),
    ask: () => String(Math.floor(clock.monotonic())),
    answered(asked, time) {
      const sentAt = Number(asked)
      const receivedAt = clock.monotonic()
      const roundTrip = receivedAt - sentAt
      if (!Number.isFinite(time) || !(roundTrip >= -1 && roundTrip <= LONGEST_ROUND_TRIP_MS)) return false
      // The cloud answered between question and arrival. The middle is the best guess.
      offset = time - (sentAt + receivedAt) / 2
      // It answered right after the question at the earliest, and its clock has run since then.
      largestOffset = time - sentAt
      return true
    },
  }
}
