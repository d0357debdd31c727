import type { MeasurementSteps } from '@plantroom/contract/api'

/** The values of one datapoint in order of time, in milliseconds, without duplicates. */
export interface Points {
  readonly at: readonly number[]
  /** The value, or the mean of several. */
  readonly value: readonly number[]
  /** The lowest and the highest of several. */
  readonly low: readonly number[]
  readonly high: readonly number[]
  /** How many values a point stands for. */
  readonly count: readonly number[]
}

export const NO_POINTS: Points = { at: [], value: [], low: [], high: [], count: [] }

/** Converts an answer of the service. */
export function pointsOf({ points }: Pick<MeasurementSteps, 'points'>): Points {
  return {
    at: points.map(({ at }) => Date.parse(at)),
    value: points.map(({ mean }) => mean),
    low: points.map(({ min }) => min),
    high: points.map(({ max }) => max),
    count: points.map(({ count }) => count),
  }
}

/** More than a day of one value per second. */
const MAX_LIVE = 100_000

/** Appends a point if it is newer than the last. */
export function appendPoint(points: Points, at: number, value: number): Points {
  const last = points.at.at(-1)
  if (last !== undefined && !(at > last)) return points
  const start = points.at.length >= MAX_LIVE ? 1 : 0
  return join(start > 0 ? sliced(points, start) : points, {
    at: [at],
    value: [value],
    low: [value],
    high: [value],
    count: [1],
  })
}

/** Appends the live points to the archived ones, whose last step ends at `archivedUntil`. */
export function mergePoints(archived: Points, live: Points, archivedUntil: number): Points {
  if (archived.at.length === 0) return live
  const start = firstNotBefore(live.at, archivedUntil)
  return start === live.at.length ? archived : join(archived, sliced(live, start))
}

const join = (a: Points, b: Points): Points => ({
  at: [...a.at, ...b.at],
  value: [...a.value, ...b.value],
  low: [...a.low, ...b.low],
  high: [...a.high, ...b.high],
  count: [...a.count, ...b.count],
})

const sliced = (points: Points, start: number, end?: number): Points => ({
  at: points.at.slice(start, end),
  value: points.value.slice(start, end),
  low: points.low.slice(start, end),
  high: points.high.slice(start, end),
  count: points.count.slice(start, end),
})

/** Returns the points between two times, both inclusive. */
export function pointsWithin(points: Points, from: number, to: number): Points {
  const start = firstNotBefore(points.at, from)
  const end = firstNotBefore(points.at, to + 1)
  return start === 0 && end === points.at.length ? points : sliced(points, start, end)
}

type Line = (number | null)[]

/** Times in seconds, values, highest and lowest values. */
export type DrawnPoints = [number[], Line, Line, Line]

/** Converts points for drawing, with a gap after `breakAfterMs` without a value. */
export function withBreaks({ at, value, low, high }: Points, breakAfterMs: number): DrawnPoints {
  const seconds: number[] = []
  const [values, highest, lowest]: [Line, Line, Line] = [[], [], []]
  const draw = (time: number, one: number | null, top: number | null, bottom: number | null) => {
    seconds.push(time / 1000)
    values.push(one)
    highest.push(top)
    lowest.push(bottom)
  }
  let before = at[0] ?? 0
  for (let index = 0; index < at.length; index += 1) {
    const time = at[index] as number
    if (time - before > breakAfterMs) draw(before + 1, null, null, null)
    draw(time, value[index] as number, high[index] as number, low[index] as number)
    before = time
  }
  return [seconds, values, highest, lowest]
}

/** Breaks a line where an interval is missing, or after 30 s: live values pause while the page is hidden. */
export const breakAfter = (analyticsInterval: number, step = 0) =>
  Math.max(30_000, 1500 * Math.max(analyticsInterval, step))

export interface PointSummary {
  count: number
  min: number
  max: number
  last: number
  lastAt: number
}

/** Summarizes points; `undefined` when there are none. */
export function summarize({ at, value, low, high, count }: Points): PointSummary | undefined {
  const last = value.at(-1)
  const lastAt = at.at(-1)
  if (last === undefined || lastAt === undefined) return undefined
  return { count: count.reduce((sum, each) => sum + each), min: lowestOf(low), max: -lowestOf(high, -1), last, lastAt }
}

/** Without spreading: a call takes fewer arguments than a chart has points. */
const lowestOf = (values: readonly number[], sign = 1) =>
  values.reduce((lowest, value) => Math.min(lowest, sign * value), Number.POSITIVE_INFINITY)

/** Returns the place of the last point at or before a time; -1 when there is none. */
export const lastAtOrBefore = (at: readonly number[], time: number): number => firstNotBefore(at, time + 1) - 1

/** Folds points into steps of a length, beginning at whole multiples of it since 1970. */
export function foldPoints(points: Points, stepMs: number): Points {
  const folded = { at: [], value: [], low: [], high: [], count: [] } as Record<keyof Points, number[]>
  for (const [index, time] of points.at.entries()) {
    const at = Math.floor(time / stepMs) * stepMs
    const [value, low, high, count] = [points.value, points.low, points.high, points.count].map(
      (each) => each[index] as number,
    ) as [number, number, number, number]
    const last = folded.at.length - 1
    if (folded.at[last] !== at) {
      for (const [name, one] of Object.entries({ at, value, low, high, count })) folded[name as keyof Points].push(one)
      continue
    }
    const before = folded.count[last] as number
    folded.value[last] = ((folded.value[last] as number) * before + value * count) / (before + count)
    folded.low[last] = Math.min(folded.low[last] as number, low)
    folded.high[last] = Math.max(folded.high[last] as number, high)
    folded.count[last] = before + count
  }
  return folded
}

/** Adds up datapoints of the same steps. A step that one of them lacks has no sum, and a sum has no range. */
export function sumPoints(all: readonly Points[]): Points {
  const [first, ...rest] = all
  if (!first || rest.length === 0) return first ?? NO_POINTS
  const others = rest.map(({ at, value }) => new Map(at.map((time, index) => [time, value[index] as number])))
  const sums = first.at.flatMap((time, index) => {
    const values = [first.value[index], ...others.map((each) => each.get(time))]
    return values.every((value) => value !== undefined)
      ? [{ time, value: values.reduce((sum, value) => sum + value, 0), count: first.count[index] as number }]
      : []
  })
  const value = sums.map((sum) => sum.value)
  return { at: sums.map(({ time }) => time), value, low: value, high: value, count: sums.map(({ count }) => count) }
}

function firstNotBefore(at: readonly number[], time: number): number {
  let low = 0
  let high = at.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((at[middle] as number) < time) low = middle + 1
    else high = middle
  }
  return low
}
