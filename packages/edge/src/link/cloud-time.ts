import type { Clock } from '@plantroom/base/clock'

/**
 * What time it is in the cloud, whatever this controller's own clock says. Deadlines are the cloud's
 * time: by a controller whose clock is an hour off, every command would be late, or none ever.
 */
export interface CloudTime {
  now(): number
  /** A word to send with the question, to be given back with the answer. */
  ask(): string
  /** The cloud answered: its time when it did. False when the answer took too long to be believed: ask again. */
  answered(asked: string, time: number): boolean
}

/** The answer may be off by half of this. */
const LONGEST_ROUND_TRIP_MS = 2_000

export function createCloudTime(clock: Clock): CloudTime {
  let offset: number | undefined

  return {
    // Until the cloud has answered, the own clock is the best there is.
    now: () => (offset === undefined ? clock.now() : clock.monotonic() + offset),
    ask: () => String(Math.round(clock.monotonic())),
    answered(asked, time) {
      const sentAt = Number(asked)
      const receivedAt = clock.monotonic()
      const roundTrip = receivedAt - sentAt
      if (!Number.isFinite(time) || !(roundTrip >= -1 && roundTrip <= LONGEST_ROUND_TRIP_MS)) return false
      // The answer was given somewhere between question and arrival: the middle is the best guess.
      offset = time - (sentAt + receivedAt) / 2
      return true
    },
  }
}
