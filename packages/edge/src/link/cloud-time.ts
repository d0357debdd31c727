import type { Clock } from '@plantroom/base/clock'

/**
 * The cloud's time, independent of this controller's clock. Deadlines are in the cloud's time: on a controller whose
 * clock is an hour off, every command would otherwise be late, or none would ever be.
 */
export interface CloudTime {
  now(): number
  /** Returns a token to send with the question. The answer carries it back. */
  ask(): string
  /** Takes the cloud's answer. Returns false when it took too long to be accurate: ask again. */
  answered(asked: string, time: number): boolean
}

/** The time may be off by half of this. */
const LONGEST_ROUND_TRIP_MS = 2_000

export function createCloudTime(clock: Clock): CloudTime {
  let offset: number | undefined

  return {
    // Until the cloud has answered, the controller's clock is the best guess.
    now: () => (offset === undefined ? clock.now() : clock.monotonic() + offset),
    ask: () => String(Math.round(clock.monotonic())),
    answered(asked, time) {
      const sentAt = Number(asked)
      const receivedAt = clock.monotonic()
      const roundTrip = receivedAt - sentAt
      if (!Number.isFinite(time) || !(roundTrip >= -1 && roundTrip <= LONGEST_ROUND_TRIP_MS)) return false
      // The cloud answered between question and arrival. The middle is the best guess.
      offset = time - (sentAt + receivedAt) / 2
      return true
    },
  }
}
