import type { Reading } from '../driver.ts'
import { type Decoder, decoderOf } from './codec.ts'
import type { ModbusPoint } from './config.ts'
import type { Holes, KnownHole } from './holes.ts'
import { type Block, type Limits, planReads, type Span, sameRange } from './plan.ts'

/** A value that is asked for, and its place among the readings. */
export interface Wanted extends Span {
  index: number
  decode: Decoder
}

/** All that is worked out before a reading: the same for every poll, until something is learnt of the equipment. */
export interface Course {
  pointIds: readonly string[]
  /** Of the holes on which it rests. */
  revision: number
  blocks: readonly Block<Wanted>[]
  /** What was refused by itself. */
  refused: ReadonlyMap<KnownHole, Block<Wanted>>
  /** What needs no question to be known, by its place. */
  unreadable: ReadonlyMap<number, Reading>
}

/** Plans for a reading per id, in their order; an id may be there twice. */
export function planCourse(
  pointIds: readonly string[],
  points: ReadonlyMap<string, ModbusPoint>,
  limits: Limits,
  holes: Holes,
): Course {
  const wanted: Wanted[] = []
  const unreadable = new Map<number, Reading>()
  for (const [index, id] of pointIds.entries()) {
    const point = points.get(id)
    if (!point) unreadable.set(index, { error: `${id} is not a datapoint of this connection` })
    else if (!point.readable) unreadable.set(index, { error: `${point.name} can only be written` })
    else {
      const { table, register, width } = point
      wanted.push({ table, register, width, index, decode: decoderOf(point) })
    }
  }

  const known = holes.known()
  const refused = new Map<KnownHole, Block<Wanted>>()
  const blocks = planReads(wanted, limits, known).filter((block) => {
    const hole = known.find((each) => each.exception !== undefined && sameRange(each, block))
    if (hole) refused.set(hole, block)
    return !hole
  })
  return { pointIds: [...pointIds], revision: holes.revision(), blocks, refused, unreadable }
}

/** Would the same course be planned again? */
export function leadsTo(course: Course, pointIds: readonly string[], holes: Holes): boolean {
  if (course.revision !== holes.revision() || course.pointIds.length !== pointIds.length) return false
  // A plain loop: this is thousands of ids at every poll.
  for (let index = 0; index < pointIds.length; index += 1) {
    if (pointIds[index] !== course.pointIds[index]) return false
  }
  return true
}
