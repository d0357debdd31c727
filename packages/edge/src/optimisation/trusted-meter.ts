import { countsForMs } from '../telemetry/interval.ts'
import type { Meter } from './meter.ts'

/** How long a meter may show the very same value after loads were moved before it counts as frozen. */
const FROZEN_MS = 60_000
/** A smaller move may be lost in what other loads do. */
const NOTICEABLE_KW = 2

/** A reading that can be acted on. */
export interface TrustedReading {
  kw: number
  /** The monotonic time at which it was taken. */
  at: number
  ageMs: number
  /** False when it was read before. */
  isNew: boolean
}

/** Why there is none. */
export type Distrust =
  | 'the meter cannot be read'
  | 'the meter reading is too old'
  | 'the meter does not follow the loads'

/** A meter whose readings are believed only while they are fresh and follow what the loads do. */
export interface TrustedMeter {
  read(about: { meterId: string; kwPerUnit: number; pollSeconds: number }, monotonic: number): TrustedReading | Distrust
  /** Loads were moved by this much. */
  moved(kw: number, monotonic: number): void
}

export function createTrustedMeter(meter: Meter): TrustedMeter {
  /** The last value, and since when the meter should have shown another one. */
  let last: number | undefined
  let expectedSince: number | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return {
    read({ meterId, kwPerUnit, pollSeconds }, monotonic) {
      const reading = meter.read(meterId)
      if (!reading || !Number.isFinite(reading.value)) return 'the meter cannot be read'
      const { value, ageMs } = reading
      if (ageMs > countsForMs(pollSeconds)) return 'the meter reading is too old'
      if (value !== last) {
        last = value
        expectedSince = undefined
      }
      if (expectedSince !== undefined && monotonic - expectedSince > FROZEN_MS) {
        return 'the meter does not follow the loads'
      }
      const at = monotonic - ageMs
      // Age and time are rounded apart.
      const isNew = at > readAt + 1
      if (isNew) readAt = at
      return { kw: value * kwPerUnit, at, ageMs, isNew }
    },
    moved(kw, monotonic) {
      if (Math.abs(kw) >= NOTICEABLE_KW) expectedSince ??= monotonic
    },
  }
}
