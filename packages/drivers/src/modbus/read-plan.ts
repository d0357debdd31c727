import type { Reading } from '../driver.ts'
import { type Block, blockOf, type Hole, type Limits, planReads, rangesOf, type Span, sameRange } from './blocks.ts'
import type { Reader } from './codec.ts'
import type { Holes, KnownHole, Suspect } from './holes.ts'

/** A value that can be read from its registers. */
export interface Readable extends Span {
  read: Reader
}

/** A value to read, and its place among the readings. */
export interface Wanted extends Readable {
  index: number
}

/** The requests of a read. Polls reuse a plan until a hole is found or forgotten. */
export interface ReadPlan {
  pointIds: readonly string[]
  /** The revision of the holes that the plan is based on. */
  revision: number
  blocks: readonly Block<Wanted>[]
  /** Blocks within a range that could not be read, whose unreadable part is not known yet. */
  suspects: readonly { block: Block<Wanted>; suspect: Suspect }[]
  /** Known unreadable ranges, each with the block that reads it alone. */
  held: ReadonlyMap<KnownHole, Block<Wanted>>
  /** Gaps to retry, with the block that would be read without them. */
  gaps: ReadonlyMap<KnownHole, Block<Wanted>>
  /** Readings that need no request, by place. */
  unknown: ReadonlyMap<number, Reading>
  /** Returns all distinct ranges, the known unreadable ones last. */
  ranges(): readonly Block<Wanted>[]
}

/** Plans one reading per id, in order. An id may occur twice. */
export function createReadPlan(
  pointIds: readonly string[],
  points: ReadonlyMap<string, Readable>,
  limits: Limits,
  holes: Holes,
): ReadPlan {
  const wanted: Wanted[] = []
  const unknown = new Map<number, Reading>()
  for (const [index, id] of pointIds.entries()) {
    const point = points.get(id)
    if (!point) unknown.set(index, { error: `${id} is not a datapoint of this connection` })
    else {
      const { table, register, width, read } = point
      wanted.push({ table, register, width, index, read })
    }
  }

  const known = holes.known()
  const suspected = holes.suspects()
  const barriers = [...known, ...suspected.flatMap(bordersOf)]
  const blocks: Block<Wanted>[] = []
  const suspects: { block: Block<Wanted>; suspect: Suspect }[] = []
  const held = new Map<KnownHole, Block<Wanted>>()
  for (const block of planReads(wanted, limits, barriers)) {
    const hole = known.find((each) => !each.isGap && sameRange(each, block))
    const suspect = hole ? undefined : suspected.find((range) => isWithin(block, range))
    if (hole) held.set(hole, block)
    else if (suspect) suspects.push({ block, suspect })
    else blocks.push(block)
  }

  const gaps = new Map<KnownHole, Block<Wanted>>()
  for (const gap of known) {
    const joined = gap.isGap ? joinAcross(gap, blocks, limits) : undefined
    if (joined) gaps.set(gap, joined)
  }

  let ranges: readonly Block<Wanted>[] | undefined
  const pointsOf = (some: Iterable<Block<Wanted>>) => [...some].flatMap((block) => block.points)
  return {
    pointIds: [...pointIds],
    revision: holes.revision(),
    blocks,
    suspects,
    held,
    gaps,
    unknown,
    ranges() {
      ranges ??= [
        ...rangesOf(pointsOf([...blocks, ...suspects.map(({ block }) => block)])),
        ...rangesOf(pointsOf(held.values())),
      ]
      return ranges
    },
  }
}

/** Returns true if a new plan would be the same. */
export function isUpToDate(plan: ReadPlan, pointIds: readonly string[], holes: Holes): boolean {
  if (plan.revision !== holes.revision() || plan.pointIds.length !== pointIds.length) return false
  // A plain loop, because every poll compares thousands of ids.
  for (let index = 0; index < pointIds.length; index += 1) {
    if (pointIds[index] !== plan.pointIds[index]) return false
  }
  return true
}

const bordersOf = ({ table, start, end }: Hole): readonly Hole[] => [
  { table, start, end: start },
  { table, start: end, end },
]

const isWithin = (block: Hole, range: Hole) =>
  block.table === range.table && range.start <= block.start && block.end <= range.end

/** Returns the block that would be read across the gap if there were none. */
function joinAcross(gap: KnownHole, blocks: readonly Block<Wanted>[], limits: Limits): Block<Wanted> | undefined {
  const ofTable = blocks.filter((block) => block.table === gap.table)
  const left = ofTable.findLast((block) => block.end <= gap.start)
  const right = ofTable.find((block) => block.start >= gap.end)
  if (!left || !right) return undefined
  const joined = planReads([...left.points, ...right.points], limits, [])
  return joined.find((block) => block.start < gap.start && block.end > gap.end) ?? undefined
}

/** Returns a block with only the first value of this block. */
export function firstValueOf(block: Block<Wanted>): Block<Wanted> {
  const [first] = block.points
  if (!first) throw new RangeError('a block without points')
  return blockOf([first])
}
