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

/** Breaks a line when two values in a row are missing, or after 30 s: live values pause while the page is hidden. */
export const breakAfter = (analyticsInterval: number, step = 0) =>
  Math.max(30_000, 2500 * Math.max(analyticsInterval, step))

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
