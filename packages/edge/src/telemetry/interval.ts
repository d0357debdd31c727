/** A value of a datapoint and its time in milliseconds since 1970; `null` when the value is unknown from then on. */
export interface TimedValue {
  at: number
  value: number | null
}

/** What a datapoint showed from `from` (inclusive) to `to` (exclusive). */
export interface IntervalSummary {
  from: number
  to: number
  /** Weighted by the time for which each value counted. */
  mean: number
  min: number
  max: number
  last: number
  /** The share of the interval in which the value was known; above 0, at most 1. */
  coverage: number
}

/** The value that counts now and is not added up yet: from `since`, until `until` at the latest. */
interface Counting {
  value: number
  since: number
  until: number
}

/** An interval that is not over yet. Has a constant size and never changes: each call returns a new one. */
export interface OpenInterval {
  readonly from: number
  /** Of the time added up so far; `undefined` while there is none. */
  readonly seen: Readonly<{ ms: number; mean: number; min: number; max: number; last: number }> | undefined
  readonly counting: Readonly<Counting> | undefined
  /** The time of the newest reading. Earlier moments are settled: a reading that arrives late changes nothing. */
  readonly newest: number
}

/** Returns for how long a reading of a datapoint that is polled so often counts, when no other follows it. */
export function countsForMs(pollSeconds: number): number {
  return Math.max(3 * pollSeconds, 90) * 1000
}

/** Opens an interval. The value that counted at the end of `before` carries over, for as long as it would have counted. */
export function openInterval(from: number, before?: OpenInterval): OpenInterval {
  const counting = before?.counting
  const carries = counting && counting.until > from
  return {
    from,
    seen: undefined,
    counting: carries ? { ...counting, since: Math.max(counting.since, from) } : undefined,
    newest: before?.newest ?? Number.NEGATIVE_INFINITY,
  }
}

/**
 * Adds a reading. It counts from its time until the next one, at most for `longestMs`. `null` ends the value before it.
 * Ignores values that are not finite, and readings older than the newest one: a moment that comes again after the clock
 * is set back counts once. Close the interval before you add a reading from after its end.
 */
export function addReading(interval: OpenInterval, { at, value }: TimedValue, longestMs: number): OpenInterval {
  const isUsable = value === null || Number.isFinite(value)
  if (!isUsable || !Number.isFinite(at) || at < interval.newest) return interval
  const counting = value === null ? undefined : { value, since: Math.max(at, interval.from), until: at + longestMs }
  return { ...interval, seen: seenUntil(interval, at), counting, newest: at }
}

/** Returns the summary of the interval up to `to`; `undefined` when no value counted in it. */
export function summaryOf(interval: OpenInterval, to: number): IntervalSummary | undefined {
  const { from } = interval
  const seen = seenUntil(interval, to)
  if (!seen || to <= from) return undefined
  const { ms, mean, min, max, last } = seen
  // Rounding may put the mean of equal values a little beside them.
  const within = Math.min(Math.max(mean, min), max)
  return { from, to, mean: within, min, max, last, coverage: Math.min(ms / (to - from), 1) }
}

/** Joins the summaries of two adjacent intervals, weighted by the time that each of them covers. */
export function joinSummaries(a: IntervalSummary, b: IntervalSummary): IntervalSummary {
  const [first, second] = a.from <= b.from ? [a, b] : [b, a]
  const [{ from }, { to, last }] = [first, second]
  const firstMs = first.coverage * (first.to - from)
  const ms = firstMs + second.coverage * (to - second.from)
  const [min, max] = [Math.min(a.min, b.min), Math.max(a.max, b.max)]
  const mean = first.mean * (firstMs / ms) + second.mean * (1 - firstMs / ms)
  return { from, to, mean: Math.min(Math.max(mean, min), max), min, max, last, coverage: Math.min(ms / (to - from), 1) }
}

function seenUntil({ seen, counting }: OpenInterval, moment: number): OpenInterval['seen'] {
  if (!counting) return seen
  const { value, since, until } = counting
  const added = Math.min(moment, until) - since
  if (!(added > 0)) return seen
  if (!seen) return { ms: added, mean: value, min: value, max: value, last: value }
  const ms = seen.ms + added
  // Two shares, since the difference of two large values may overflow.
  const mean = seen.mean * (seen.ms / ms) + value * (added / ms)
  return { ms, mean, min: Math.min(seen.min, value), max: Math.max(seen.max, value), last: value }
}
