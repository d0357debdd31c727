import type { OpenInterval } from '../telemetry/interval.ts'
import { summaryOf } from '../telemetry/interval.ts'

/** The part of a ceiling that is kept back, so that noise and rounding do not end an interval above it. */
const RESERVE = 0.0075
/** What is left of an interval may be used at this many times the ceiling at most: a connection has fuses. */
export const MOST = 1.5
/** Near the end of an interval, a small rest of energy must not become a large power. */
const SHORTEST_MS = 10_000

/**
 * Returns what may be drawn until the interval ends, so that its mean is at most `kw`: the energy that is left divided by the
 * time that is left. Time that was not read counts as if the ceiling had been used.
 */
export function allowedUntilEnd(
  kw: number,
  { interval, to, now }: { interval: OpenInterval; to: number; now: number },
): number {
  const { from } = interval
  const summary = summaryOf(interval, now)
  const elapsed = Math.max(0, now - from)
  const read = (summary?.coverage ?? 0) * elapsed
  const used = (summary?.mean ?? 0) * read + kw * (elapsed - read)
  const allowed = (kw * (1 - RESERVE) * (to - from) - used) / Math.max(to - now, SHORTEST_MS)
  return Math.min(allowed, MOST * kw)
}

export const QUARTER_MS = 900_000

export const quarterStart = (time: number): number => Math.floor(time / QUARTER_MS) * QUARTER_MS

/** Returns the end of the quarter of an hour that contains this time. Quarters are the same in every time zone in use. */
export const quarterEnd = (time: number): number => quarterStart(time) + QUARTER_MS
