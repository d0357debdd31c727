import type { TimedValue } from './interval.ts'

/** What is plausible for one counter, in its own unit. */
export interface CounterRules {
  /** Where the counter may start again from 0, beside the powers of ten: the range of its register. */
  ranges: readonly number[]
  /** The most that it can rise in an hour. */
  mostPerHour: number
  /** Between readings that are farther apart nothing is counted: nothing says in which interval it belongs. */
  longestMs: number
}

/** How far a counter has risen since the interval began. Never changes: each call returns a new one. */
export interface CounterSum {
  /** `undefined` until there are two readings. */
  readonly risen: number | undefined
  readonly last: { readonly at: number; readonly value: number } | undefined
  /** When the value last changed, because a coarse counter stands still for long. */
  readonly changedAt: number
  /** The value before it fell, in case the fall was a wrong reading. */
  readonly fallenFrom: number | undefined
}

export const NEW_COUNTER: CounterSum = { risen: undefined, last: undefined, changedAt: 0, fallenFrom: undefined }

const HOUR_MS = 3_600_000
/** A coarse counter may rise by what takes a quarter of an hour, however soon after its last reading. */
const SHORTEST_MS = HOUR_MS / 4
/** A counter that starts again was near its end, and has not got far since. */
const NEAR_END = 0.01

/**
 * Adds a reading of a counter. A fall to a low value right after the end of a range is a roll-over, and counts on. Any other
 * fall is the exchange of the meter, and so is a rise that no site can draw: both count nothing. When the counter is back
 * at its value from before a fall, the fall was a wrong reading. Ignores unknown values and late readings.
 */
export function addCount(counter: CounterSum, { at, value }: TimedValue, rules: CounterRules): CounterSum {
  if (value === null || !Number.isFinite(value)) return counter
  const { last, risen, changedAt, fallenFrom } = counter
  if (last && at < last.at) return counter
  const next = { ...counter, last: { at, value }, changedAt: value === last?.value ? changedAt : at }
  if (!last || at - last.at > rules.longestMs) return { ...next, changedAt: at }
  const most = (rules.mostPerHour * clamp(at - changedAt, SHORTEST_MS, HOUR_MS)) / HOUR_MS
  const rise = riseOf(last.value, value, most, rules.ranges)
  const isBack = fallenFrom !== undefined && value >= fallenFrom && value - fallenFrom <= most
  const counted = isBack ? Math.min(rise ?? Number.POSITIVE_INFINITY, value - fallenFrom) : rise
  return {
    ...next,
    risen: (risen ?? 0) + (counted ?? 0),
    fallenFrom: isBack ? undefined : rise === undefined && value < last.value ? last.value : fallenFrom,
  }
}

/** Begins the next interval. */
export const nextInterval = (counter: CounterSum): CounterSum => ({ ...counter, risen: undefined })

/** Returns how far the counter rose; `undefined` when that is not plausible. */
function riseOf(before: number, after: number, most: number, ranges: readonly number[]): number | undefined {
  if (after >= before) return after - before <= most ? after - before : undefined
  const tens = 10 ** Math.ceil(Math.log10(before))
  for (const range of [...ranges, tens]) {
    const rise = range - before + after
    if (before <= range && after >= 0 && rise <= Math.min(most, range * NEAR_END)) return rise
  }
  return undefined
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)
