import type { Clock } from '@plantroom/base/clock'

/**
 * The cloud's time, independent of this controller's clock. Deadlines are in the cloud's time: on a controller whose
 * clock is an hour off, every command would otherwise be late, or none would ever be.
 */
export interface CloudTime {
  /** The best guess: the controller's clock where it may be right, and the middle of what is possible where it cannot be. */
  now(): number
  /** The latest that it can be, for deadlines: a command must not run after the caller was informed that it did not. */
  latest(): number
  /** Returns a token to send with the question. The answer carries it back. */
  ask(): string
  /** Takes the cloud's answer. Returns false when it took too long to be accurate: ask again. */
  answered(asked: string, time: number): boolean
}

/** After one answer, the time may be off by half of this. */
const LONGEST_ROUND_TRIP_MS = 2_000
/** How far two clocks may drift apart in a millisecond. */
const DRIFT = 1e-4

/** Between which two values the cloud's time minus the monotonic clock was, as of the monotonic time `at`. */
interface Bounds {
  least: number
  most: number
  at: number
}

export function createCloudTime(clock: Clock): CloudTime {
  let bounds: Bounds | undefined

  return {
    now() {
      const [own, since] = [clock.now(), clock.monotonic()]
      const { least, most } = bounds ?? { least: own - since, most: own - since }
      return own >= since + least && own <= since + most ? own : since + (least + most) / 2
    },
    latest: () => (bounds ? clock.monotonic() + bounds.most : clock.now()),
    ask: () => String(Math.floor(clock.monotonic())),
    answered(asked, time) {
      const sentAt = Number(asked)
      const receivedAt = clock.monotonic()
      const roundTrip = receivedAt - sentAt
      if (!Number.isFinite(time) || !(roundTrip >= -1 && roundTrip <= LONGEST_ROUND_TRIP_MS)) return false
      // The cloud answered between question and arrival. Its clock has run since then.
      bounds = narrowed(bounds, { least: time - receivedAt, most: time - sentAt, at: receivedAt })
      return true
    },
  }
}

/** A slow answer says little: with the ones before it, the time is known better. One that contradicts them replaces them. */
function narrowed(known: Bounds | undefined, answer: Bounds): Bounds {
  const drift = known ? (answer.at - known.at) * DRIFT : 0
  const least = Math.max(answer.least, (known?.least ?? answer.least) - drift)
  const most = Math.min(answer.most, (known?.most ?? answer.most) + drift)
  return least <= most ? { least, most, at: answer.at } : answer
}
