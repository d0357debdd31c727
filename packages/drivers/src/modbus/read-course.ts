import type { Reading } from '../driver.ts'
import { isBitTable } from './config.ts'
import type { Course, Wanted } from './course.ts'
import { exceptionText, READ_FUNCTION, type ReadRequest, type Reply } from './frame.ts'
import type { Holes, KnownHole } from './holes.ts'
import { type Block, halve, holeBetween } from './plan.ts'

const ILLEGAL_ADDRESS = 2
// What some equipment says instead of 2 when a block is longer than it likes.
const ILLEGAL_VALUE = 3

/**
 * One reading per point of the course, in order. A block that the equipment refuses is halved until the refused range
 * stands alone, so that one unreadable point takes no other with it, and `holes` remembers the range. However many
 * ranges are refused, each call asks for one of them again, in turn, and for more when that one has come back.
 */
export async function readCourse(
  { pointIds, blocks, refused, unreadable }: Course,
  holes: Holes,
  ask: (request: ReadRequest) => Promise<Reply>,
): Promise<readonly Reading[]> {
  const readings = new Array<Reading>(pointIds.length)
  for (const [index, reading] of unreadable) readings[index] = reading

  const askFor = ({ table, start, end }: Block<Wanted>) =>
    ask({ functionCode: READ_FUNCTION[table], address: start, count: end - start })

  /** True when no part of the block was refused. */
  async function readBlock(block: Block<Wanted>): Promise<boolean> {
    const reply = await askFor(block)
    if ('exception' in reply) return readOtherwise(block, reply.exception)
    take(block, reply.data)
    return true
  }

  /** As `readBlock`, of a block that was answered with an exception. */
  async function readOtherwise(block: Block<Wanted>, exception: number): Promise<boolean> {
    const isRefused = exception === ILLEGAL_ADDRESS || exception === ILLEGAL_VALUE
    const halves = isRefused ? halve(block) : undefined
    if (!halves) {
      setError(block, exception)
      if (isRefused) holes.remember({ ...block, exception })
      return !isRefused
    }
    const [left, right] = halves
    const leftWhole = await readBlock(left)
    const rightWhole = await readBlock(right)
    const between = leftWhole && rightWhole ? holeBetween(left, right) : undefined
    if (between) holes.remember(between)
    return false
  }

  function take(block: Block<Wanted>, data: Uint8Array): void {
    decodeBlock(block, data, readings)
    holes.forget(block)
  }

  function setError({ points }: Block<Wanted>, exception: number): void {
    for (const { index } of points) readings[index] = { error: exceptionText(exception) }
  }

  let asked: Promise<Reply> | undefined
  for (const [index, block] of blocks.entries()) {
    const reply = await (asked ?? askFor(block))
    asked = undefined
    if ('data' in reply) {
      const next = blocks[index + 1]
      // The equipment works on the next answer while this one is decoded.
      if (next) asked = askFor(next)
      take(block, reply.data)
    } else {
      await readOtherwise(block, reply.exception)
    }
  }

  let cameBack = true
  for (const [hole, block] of inTurn(refused, holes)) {
    if (!cameBack && hole.exception !== undefined && holes.has(hole)) {
      setError(block, hole.exception)
      continue
    }
    holes.moveToEnd(hole)
    await readBlock(block)
    cameBack = !holes.has(hole)
  }
  return readings
}

/** First what another reading has found to be back meanwhile, then the others in their row. */
function inTurn(refused: Course['refused'], holes: Holes): readonly (readonly [KnownHole, Block<Wanted>])[] {
  if (refused.size === 0) return []
  const places = new Map(holes.known().map((hole, place) => [hole, place]))
  const placeOf = (hole: KnownHole) => places.get(hole) ?? -1
  return [...refused].sort(([a], [b]) => placeOf(a) - placeOf(b))
}

function decodeBlock({ table, start, points }: Block<Wanted>, data: Uint8Array, readings: Reading[]): void {
  if (isBitTable(table)) {
    for (const { register, index } of points) {
      const offset = register - start
      readings[index] = { raw: ((data[offset >> 3] ?? 0) >> (offset & 7)) & 1 }
    }
    return
  }
  const wire = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (const { register, index, decode } of points) {
    const raw = decode(wire, (register - start) * 2)
    const isNumber = typeof raw === 'bigint' || Number.isFinite(raw)
    readings[index] = isNumber ? { raw } : { error: `the register holds ${raw}` }
  }
}
