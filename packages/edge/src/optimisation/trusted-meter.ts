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

interface MeterToRead {
  meterId: string
  kwPerUnit: number
  pollSeconds: number
}

/** A meter whose readings are believed only while they are fresh and follow what the loads do. */
export interface TrustedMeter {
  read(about: MeterToRead, monotonic: number): TrustedReading | Distrust
  /** The same for those who only show it: a reading stays new until it is acted on. */
  peek(about: MeterToRead, monotonic: number): TrustedReading | Distrust
  /** Loads were moved by this much. */
  moved(kw: number, monotonic: number): void
}

export function createTrustedMeter(meter: Meter): TrustedMeter {
  /** The last value, and since when the meter should have shown another one. */
  let last: number | undefined
  let expectedSince: number | undefined
  let readAt = Number.NEGATIVE_INFINITY
  function judge({ meterId, kwPerUnit, pollSeconds }: MeterToRead, monotonic: number): TrustedReading | Distrust {
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
    return { kw: value * kwPerUnit, at, ageMs, isNew: at > readAt + 1 }
  }
  return {
    read(about, monotonic) {
      const reading = judge(about, monotonic)
      if (typeof reading !== 'string' && reading.isNew) readAt = reading.at
      return reading
    },
    peek: judge,
    moved(kw, monotonic) {
      if (Math.abs(kw) >= NOTICEABLE_KW) expectedSince ??= monotonic
    },
  }
}
