import { isBitTable, type Table } from './config.ts'

/** The location of a value: `width` addresses of a table, starting at `register`. */
export interface Span {
  table: Table
  register: number
  width: number
}

/** One read request, from `start` to `end` exclusive, and the points that it reads. */
export interface Block<Point extends Span> {
  table: Table
  start: number
  end: number
  points: readonly Point[]
}

/**
 * A range that the equipment refuses or does not answer. No request for other points includes any of it. An empty range
 * is a boundary: both sides can be read, but not in one request.
 */
export interface Hole {
  table: Table
  start: number
  end: number
}

export interface Limits {
  maxRegistersPerRead: number
  maxGap: number
}

const MAX_BITS = 2000

/**
 * Returns the requests that read all points, as few as possible, by first fit in address order. Bridges gaps of at most
 * `maxGap` addresses, never splits a value, and neither bridges nor merges holes.
 */
export function planReads<Point extends Span>(
  points: readonly Point[],
  limits: Limits,
  holes: readonly Hole[],
): readonly Block<Point>[] {
  const blocks: (Block<Point> & { points: Point[] })[] = []
  for (const point of points.toSorted(byAddress)) {
    const block = blocks.at(-1)
    const end = Math.max(block?.end ?? 0, point.register + point.width)
    if (block && fits(block, point, end, limits, holes)) {
      block.points.push(point)
      block.end = end
    } else {
      blocks.push({ table: point.table, start: point.register, end: point.register + point.width, points: [point] })
    }
  }
  return blocks
}

function fits(block: Block<Span>, point: Span, end: number, limits: Limits, holes: readonly Hole[]): boolean {
  if (point.table !== block.table) return false
  // Points on the same range, for example bits of a status word, share a request even if the range is a hole.
  if (point.register === block.start && point.register + point.width === block.end) return true
  const most = isBitTable(block.table) ? MAX_BITS : limits.maxRegistersPerRead
  if (end - block.start > most || point.register - block.end > limits.maxGap) return false
  return !holes.some((hole) => hole.table === block.table && crosses(block.start, end, hole))
}

function crosses(start: number, end: number, hole: Hole): boolean {
  if (hole.start === hole.end) return start < hole.start && hole.start < end
  return start < hole.end && hole.start < end
}

/** Splits the block into two with half of its values each; returns `undefined` if it reads a single range. */
export function halve<Point extends Span>(block: Block<Point>): [Block<Point>, Block<Point>] | undefined {
  const ranges = Map.groupBy(block.points.toSorted(byAddress), (point) => `${point.register}+${point.width}`)
  if (ranges.size < 2) return undefined
  const groups = [...ranges.values()]
  const middle = groups.length >> 1
  return [blockOf(groups.slice(0, middle).flat()), blockOf(groups.slice(middle).flat())]
}

/** Returns the hole between two halves that can only be read separately; `undefined` if they overlap. */
export function holeBetween(left: Block<Span>, right: Block<Span>): Hole | undefined {
  if (right.start < left.end) return undefined
  return { table: left.table, start: left.end, end: right.start }
}

export const sameRange = (a: Hole, b: Hole) => a.table === b.table && a.start === b.start && a.end === b.end

/** Returns the smallest block that reads these points. */
export function blockOf<Point extends Span>(points: readonly Point[]): Block<Point> {
  const [first] = points
  if (!first) throw new RangeError('a block without points')
  const end = Math.max(...points.map((point) => point.register + point.width))
  return { table: first.table, start: first.register, end, points }
}

function byAddress(a: Span, b: Span): number {
  if (a.table !== b.table) return a.table < b.table ? -1 : 1
  return a.register - b.register || a.width - b.width
}

/** Returns one block for each distinct range, in address order. */
export function rangesOf<Point extends Span>(points: readonly Point[]): readonly Block<Point>[] {
  const ranges = Map.groupBy(points.toSorted(byAddress), (point) => `${point.table} ${point.register}+${point.width}`)
  return [...ranges.values()].map(blockOf)
}
