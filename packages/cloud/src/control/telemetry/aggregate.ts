/** What is known about several values. */
export interface Aggregate {
  count: number
  min: number
  max: number
  /** The sum times `SCALE`: the sum of two large values would be infinite. A power of two changes no digit. */
  scaledSum: number
}

export const SCALE = 2 ** -32

export const newAggregate = (): Aggregate => ({ count: 0, min: Infinity, max: -Infinity, scaledSum: 0 })

export function addValue(aggregate: Aggregate, value: number): void {
  aggregate.count += 1
  if (value < aggregate.min) aggregate.min = value
  if (value > aggregate.max) aggregate.max = value
  aggregate.scaledSum += value * SCALE
}

function addAggregate(aggregate: Aggregate, other: Aggregate): void {
  aggregate.count += other.count
  aggregate.min = Math.min(aggregate.min, other.min)
  aggregate.max = Math.max(aggregate.max, other.max)
  aggregate.scaledSum += other.scaledSum
}

/** The mean of the values, which rounding never moves outside them. */
function meanOf({ count, min, max, scaledSum }: Aggregate): number {
  return Math.min(max, Math.max(min, scaledSum / count / SCALE))
}

/** One step of a downsampled history. */
export interface Point {
  /** The beginning of the step. */
  at: number
  min: number
  mean: number
  max: number
  count: number
}

/** Collects values and aggregates into whole steps. */
export function createSteps(stepMs: number) {
  const steps = new Map<number, Aggregate>()
  const stepAt = (at: number) => {
    const start = at - (at % stepMs)
    const known = steps.get(start)
    if (known) return known
    const added = newAggregate()
    steps.set(start, added)
    return added
  }
  return {
    addValue: (at: number, value: number) => addValue(stepAt(at), value),
    /** All its values must be within the step that `at` is in. */
    addAggregate: (at: number, aggregate: Aggregate) => addAggregate(stepAt(at), aggregate),
    points: (): Point[] =>
      [...steps]
        .toSorted(([a], [b]) => a - b)
        .map(([at, each]) => ({ at, min: each.min, mean: meanOf(each), max: each.max, count: each.count })),
  }
}
