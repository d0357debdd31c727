import type { Period } from './period.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const STEPS = [
  1000,
  10_000,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
  7 * DAY_MS,
  30 * DAY_MS,
  365 * DAY_MS,
]
/** A person reads a table: this many rows are enough. */
const MOST_ROWS = 200

/** Returns the length of a row of the table of a chart, in milliseconds: at least a step of the chart. */
export function tableStep({ from, to }: Period, stepSeconds: number): number {
  const shortest = Math.max(stepSeconds * 1000, (to - from) / MOST_ROWS)
  return STEPS.find((step) => step >= shortest) ?? shortest
}
