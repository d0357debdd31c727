import { isBitTable, type Table } from './config.ts'

/** The place of a value: `width` addresses of a table from `register` on. */
export interface Span {
  table: Table
  register: number
  width: number
}

/** One read request, `start` inclusive and `end` exclusive, and the points that it reads. */
export interface Block<Point extends Span> {
  table: Table
  start: number
  end: number
  points: readonly Point[]
}

/**
 * A range that the equipment refuses, or does not answer for: no request for another point reaches into it. An empty
 * range is a border: both sides can be read, but not in one request.
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
 * Returns the fewest requests, first fit in the order of addresses, that read all points. Gaps of at most `maxGap`
 * addresses are bridged; a value is never split; holes are neither bridged nor merged.
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
  // Several points on one range, such as the bits of a status word, share a request even where it is a hole.
  if (point.register === block.start && point.register + point.width === block.end) return true
  const most = isBitTable(block.table) ? MAX_BITS : limits.maxRegistersPerRead
  if (end - block.start > most || point.register - block.end > limits.maxGap) return false
  return !holes.some((hole) => hole.table === block.table && crosses(block.start, end, hole))
}

function crosses(start: number, end: number, hole: Hole): boolean {
  if (hole.start === hole.end) return start < hole.start && hole.start < end
  return start < hole.end && hole.start < end
}

/** Returns the block as two with half of its values each; `undefined` when it reads one range only. */
export function halve<Point extends Span>(block: Block<Point>): [Block<Point>, Block<Point>] | undefined {
  const ranges = Map.groupBy(block.points.toSorted(byAddress), (point) => `${point.register}+${point.width}`)
  if (ranges.size < 2) return undefined
  const groups = [...ranges.values()]
  const middle = groups.length >> 1
  return [blockOf(groups.slice(0, middle).flat()), blockOf(groups.slice(middle).flat())]
}

/** Returns the hole between two halves that can be read, but not together; `undefined` where they overlap. */
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

/** Returns one block for each distinct range, in the order of addresses. */
export function rangesOf<Point extends Span>(points: readonly Point[]): readonly Block<Point>[] {
  const ranges = Map.groupBy(points.toSorted(byAddress), (point) => `${point.table} ${point.register}+${point.width}`)
  return [...ranges.values()].map(blockOf)
}
