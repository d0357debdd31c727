import type { Span } from './frame-spans.ts'

/** What is known about several values: samples, intervals, or both. */
export interface Aggregate {
  /** Of samples and intervals. */
  count: number
  samples: number
  min: number
  max: number
  /** The sum of samples and means, times `SCALE`: the sum of two large values would be infinite. A power of two changes no digit. */
  scaledSum: number
  /** The same of intervals alone, each times the seconds that it covers. */
  weightedSum: number
  coveredSeconds: number
  /** The length of all intervals. */
  seconds: number
  /** NaN when it is unknown. */
  last: number
  lastAt: number
  /** NaN when no interval has an energy. */
  energyKwh: number
}

export const SCALE = 2 ** -32

export const newAggregate = (): Aggregate => ({
  count: 0,
  samples: 0,
  min: Infinity,
  max: -Infinity,
  scaledSum: 0,
  weightedSum: 0,
  coveredSeconds: 0,
  seconds: 0,
  last: Number.NaN,
  lastAt: -Infinity,
  energyKwh: Number.NaN,
})

export function addValue(aggregate: Aggregate, at: number, value: number, span: Span): void {
  const { min, max, mean } = span ?? { min: value, max: value, mean: value }
  aggregate.count += 1
  if (min < aggregate.min) aggregate.min = min
  if (max > aggregate.max) aggregate.max = max
  aggregate.scaledSum += mean * SCALE
  if (at > aggregate.lastAt) [aggregate.last, aggregate.lastAt] = [value, at]
  if (!span) {
    aggregate.samples += 1
    return
  }
  const covered = (span.seconds * span.coverage) / 100
  aggregate.weightedSum += mean * SCALE * covered
  aggregate.coveredSeconds += covered
  aggregate.seconds += span.seconds
  if (span.energyKwh !== undefined) aggregate.energyKwh = plus(aggregate.energyKwh, span.energyKwh)
}

function addAggregate(to: Aggregate, more: Aggregate): void {
  to.count += more.count
  to.samples += more.samples
  to.min = Math.min(to.min, more.min)
  to.max = Math.max(to.max, more.max)
  to.scaledSum += more.scaledSum
  to.weightedSum += more.weightedSum
  to.coveredSeconds += more.coveredSeconds
  to.seconds += more.seconds
  if (more.lastAt > to.lastAt) [to.last, to.lastAt] = [more.last, more.lastAt]
  if (!Number.isNaN(more.energyKwh)) to.energyKwh = plus(to.energyKwh, more.energyKwh)
}

const plus = (sum: number, more: number) => (Number.isNaN(sum) ? more : sum + more)

/** The mean: of intervals by the time that they cover, of samples by their number. Rounding never moves it outside. */
function meanOf({ count, samples, min, max, scaledSum, weightedSum, coveredSeconds }: Aggregate): number {
  const scaled = samples === 0 ? weightedSum / coveredSeconds : scaledSum / count
  return Math.min(max, Math.max(min, scaled / SCALE))
}

/** Returns the covered share of a step in percent; `null` where samples are all that is known of it. */
function coverageOf({ samples, coveredSeconds, seconds }: Aggregate, stepSeconds: number): number | null {
  if (samples > 0) return null
  // An interval may be longer than the step that it begins in.
  return Math.min(100, Math.max(1, Math.round((coveredSeconds / Math.max(stepSeconds, seconds)) * 100)))
}

/** One step of a downsampled history. */
export interface Point {
  /** The beginning of the step. */
  at: number
  min: number
  mean: number
  max: number
  /** `null` where an older version compacted the values. */
  last: number | null
  count: number
  /** Percent; `null` when the step has samples. */
  coverage: number | null
  energyKwh?: number
}

/** Collects values and aggregates into steps, each given by when it begins and ends. */
export function createSteps(stepOf: (moment: number) => { start: number; end: number }) {
  const steps = new Map<number, { end: number; aggregate: Aggregate }>()
  let current = { start: 0, end: 0, aggregate: newAggregate() }
  const stepAt = (moment: number) => {
    // Values come in order, so it is mostly the same step again.
    if (moment >= current.start && moment < current.end) return current.aggregate
    const { start, end } = stepOf(moment)
    const { aggregate } = steps.get(start) ?? { aggregate: newAggregate() }
    steps.set(start, { end, aggregate })
    current = { start, end, aggregate }
    return aggregate
  }
  return {
    /** An interval belongs to the step in which it begins. */
    addValue: (at: number, value: number, span: Span) => addValue(stepAt(startOf(at, span)), at, value, span),
    /** All its values must be within the step that `moment` is in. */
    addAggregate: (moment: number, aggregate: Aggregate) => addAggregate(stepAt(moment), aggregate),
    points: (): Point[] =>
      [...steps]
        .toSorted(([a], [b]) => a - b)
        .map(([at, { end, aggregate }]) => ({
          at,
          min: aggregate.min,
          mean: meanOf(aggregate),
          max: aggregate.max,
          last: Number.isNaN(aggregate.last) ? null : aggregate.last,
          count: aggregate.count,
          coverage: coverageOf(aggregate, (end - at) / 1000),
          ...(!Number.isNaN(aggregate.energyKwh) && { energyKwh: aggregate.energyKwh }),
        })),
  }
}

/** Returns when the interval of a value began; of a sample, its time. */
export const startOf = (at: number, span: Span) => (span ? at - span.seconds * 1000 : at)
