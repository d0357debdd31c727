import type { Meter } from '../optimisation/meter.ts'

/** Older readings say nothing about now. */
const STALE_MS = 90_000
/** How long a meter may show the very same value after loads were moved before it counts as frozen. */
const FROZEN_MS = 60_000
/** A smaller move may be lost in what other loads do. */
const NOTICEABLE_KW = 2

/** A meter whose readings are believed only while they are fresh and follow what the loads do. */
export interface TrustedMeter {
  /** Returns the reading in kW and its wall time; `undefined` when it cannot be trusted. */
  read(
    settings: { meterId: string; meterKwPerUnit: number },
    now: Times,
  ): { kw: number; at: number; ageMs: number } | undefined
  /** Loads were moved by this much. */
  moved(kw: number, now: Times): void
}

export interface Times {
  wall: number
  monotonic: number
}

export function createTrustedMeter(meter: Meter): TrustedMeter {
  /** The last value, and since when the meter should have shown another one. */
  let last: number | undefined
  let expectedSince: number | undefined
  return {
    read({ meterId, meterKwPerUnit }, { wall, monotonic }) {
      const reading = meter.read(meterId)
      if (!reading || !Number.isFinite(reading.value) || reading.ageMs > STALE_MS) return undefined
      if (reading.value !== last) {
        last = reading.value
        expectedSince = undefined
      }
      const isFrozen = expectedSince !== undefined && monotonic - expectedSince > FROZEN_MS
      return isFrozen
        ? undefined
        : { kw: reading.value * meterKwPerUnit, at: wall - reading.ageMs, ageMs: reading.ageMs }
    },
    moved(kw, { monotonic }) {
      if (Math.abs(kw) >= NOTICEABLE_KW) expectedSince ??= monotonic
    },
  }
}
