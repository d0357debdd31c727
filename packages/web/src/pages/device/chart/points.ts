/** The values of one datapoint in order of time, in milliseconds, without duplicates. */
export interface Points {
  readonly at: readonly number[]
  readonly value: readonly number[]
}

export const NO_POINTS: Points = { at: [], value: [] }

/** More than a day of one value per second. */
const MAX_LIVE = 100_000

/** Appends a point if it is newer than the last. */
export function appendPoint(points: Points, at: number, value: number): Points {
  const last = points.at.at(-1)
  if (last !== undefined && !(at > last)) return points
  const start = points.at.length >= MAX_LIVE ? 1 : 0
  return { at: [...points.at.slice(start), at], value: [...points.value.slice(start), value] }
}

/** Merges archived and live points; archived ones take precedence. */
export function mergePoints(archived: Points, live: Points): Points {
  if (live.at.length === 0) return archived
  if (archived.at.length === 0) return live
  const at: number[] = []
  const value: number[] = []
  let a = 0
  let b = 0
  while (a < archived.at.length || b < live.at.length) {
    const fromArchive = archived.at[a] ?? Number.POSITIVE_INFINITY
    const fromLive = live.at[b] ?? Number.POSITIVE_INFINITY
    if (fromArchive <= fromLive) {
      at.push(fromArchive)
      value.push(archived.value[a] as number)
      a += 1
      if (fromArchive === fromLive) b += 1
    } else {
      at.push(fromLive)
      value.push(live.value[b] as number)
      b += 1
    }
  }
  return { at, value }
}

/** Returns the points between two times, both inclusive. */
export function pointsWithin({ at, value }: Points, from: number, to: number): Points {
  const start = firstNotBefore(at, from)
  const end = firstNotBefore(at, to + 1)
  return start === 0 && end === at.length ? { at, value } : { at: at.slice(start, end), value: value.slice(start, end) }
}

/** Converts points for drawing: times in seconds, with a gap after `breakAfterMs` without a value. */
export function withBreaks({ at, value }: Points, breakAfterMs: number): [number[], (number | null)[]] {
  const seconds: number[] = []
  const drawn: (number | null)[] = []
  let before = at[0] ?? 0
  for (let index = 0; index < at.length; index += 1) {
    const time = at[index] as number
    if (time - before > breakAfterMs) {
      seconds.push((before + 1) / 1000)
      drawn.push(null)
    }
    seconds.push(time / 1000)
    drawn.push(value[index] as number)
    before = time
  }
  return [seconds, drawn]
}

/** Breaks a line when two values in a row are missing, or after 30 s: live values pause while the page is hidden. */
export const breakAfter = (analyticsInterval: number) => Math.max(30_000, 2500 * analyticsInterval)

export interface PointSummary {
  count: number
  min: number
  max: number
  last: number
  lastAt: number
}

/** Summarizes points; `undefined` when there are none. */
export function summarize({ at, value }: Points): PointSummary | undefined {
  const last = value.at(-1)
  const lastAt = at.at(-1)
  if (last === undefined || lastAt === undefined) return undefined
  let min = last
  let max = last
  for (const each of value) {
    if (each < min) min = each
    if (each > max) max = each
  }
  return { count: value.length, min, max, last, lastAt }
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
