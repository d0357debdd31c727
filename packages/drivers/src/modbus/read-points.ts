import type { Reading } from '../driver.ts'
import { decodeRegisters } from './codec.ts'
import { isBitTable, type ModbusPoint } from './config.ts'
import { exceptionText, READ_FUNCTION, type ReadRequest, type Reply } from './frame.ts'
import { type Block, type Hole, halve, holeBetween, type Limits, planReads, sameRange } from './plan.ts'

const ILLEGAL_ADDRESS = 2
// What some equipment says instead of 2 when a block is longer than it likes.
const ILLEGAL_VALUE = 3

/** A hole that was learnt; with the exception where points stand in it, and without one between them. */
export interface KnownHole extends Hole {
  exception?: number
}

/**
 * Reads points in as few requests as can be. A block that the equipment refuses is halved until the
 * refused range stands alone, so that one unreadable point takes no other with it; `holes`, which the
 * caller keeps from call to call, remembers the range. However many ranges are refused, each call asks
 * for one of them again, in turn, and for more when that one has come back.
 */
export async function readPoints(
  points: readonly ModbusPoint[],
  limits: Limits,
  holes: Set<KnownHole>,
  ask: (request: ReadRequest) => Promise<Reply>,
): Promise<ReadonlyMap<ModbusPoint, Reading>> {
  const readings = new Map<ModbusPoint, Reading>()

  /** True when no part of the block was refused. */
  async function readBlock(block: Block<ModbusPoint>): Promise<boolean> {
    const reply = await ask({
      functionCode: READ_FUNCTION[block.table],
      address: block.start,
      count: block.end - block.start,
    })
    if ('data' in reply) {
      for (const point of block.points) readings.set(point, valueIn(block, reply.data, point))
      forget(holes, block)
      return true
    }
    const refused = reply.exception === ILLEGAL_ADDRESS || reply.exception === ILLEGAL_VALUE
    const halves = refused ? halve(block) : undefined
    if (!halves) {
      setError(block, reply.exception)
      if (refused) remember(holes, { ...block, exception: reply.exception })
      return !refused
    }
    const [left, right] = halves
    const leftWhole = await readBlock(left)
    const rightWhole = await readBlock(right)
    if (leftWhole && rightWhole) remember(holes, holeBetween(left, right))
    return false
  }

  function setError(block: Block<ModbusPoint>, exception: number): void {
    for (const point of block.points) readings.set(point, { error: exceptionText(exception) })
  }

  const refused = new Map<KnownHole, Block<ModbusPoint>>()
  for (const block of planReads(points, limits, [...holes])) {
    const hole = refusalOf(holes, block)
    if (hole) refused.set(hole, block)
    else await readBlock(block)
  }

  let cameBack = true
  for (const hole of [...holes]) {
    const block = refused.get(hole)
    if (!block || hole.exception === undefined) continue
    if (!cameBack) {
      setError(block, hole.exception)
      continue
    }
    // To the end of the row: whoever was asked is the last to be asked again.
    holes.delete(hole)
    holes.add(hole)
    await readBlock(block)
    cameBack = !holes.has(hole)
  }
  return readings
}

/** What is known of the block, where it is one range that was refused by itself. */
function refusalOf(holes: ReadonlySet<KnownHole>, block: Block<ModbusPoint>): KnownHole | undefined {
  for (const hole of holes) if (hole.exception !== undefined && sameRange(hole, block)) return hole
  return undefined
}

function valueIn(block: Block<ModbusPoint>, data: Uint8Array, point: ModbusPoint): Reading {
  const offset = point.register - block.start
  if (isBitTable(point.table)) return { raw: ((data[offset >> 3] ?? 0) >> (offset & 7)) & 1 }
  const raw = decodeRegisters(point, data.subarray(offset * 2, (offset + point.width) * 2))
  if (typeof raw === 'number' && !Number.isFinite(raw)) return { error: `the register holds ${raw}` }
  return { raw }
}

function remember(holes: Set<KnownHole>, hole: KnownHole | undefined): void {
  if (!hole || [...holes].some((known) => sameRange(known, hole))) return
  const { table, start, end, exception } = hole
  holes.add({ table, start, end, ...(exception !== undefined && { exception }) })
}

function forget(holes: Set<KnownHole>, block: Hole): void {
  for (const hole of holes) if (sameRange(hole, block)) holes.delete(hole)
}
