import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type Aggregate, addValue, newAggregate } from './aggregate.ts'
import type { Series } from './series.ts'

/**
 * The values of one datapoint on one day, as they are stored: the distances between the times (32 bits) and then the
 * values (64 bits), little-endian and deflated. Regular times shrink to almost nothing; values with few digits to one to
 * four bytes.
 */
export function encodeBlock({ at, value }: Series, dayStart: number): Buffer {
  const count = at.length
  const bytes = Buffer.alloc(count * 12)
  let before = dayStart
  for (let index = 0; index < count; index += 1) {
    const time = at[index] as number
    bytes.writeUInt32LE(time - before, index * 4)
    bytes.writeDoubleLE(value[index] as number, count * 4 + index * 8)
    before = time
  }
  return deflateRawSync(bytes)
}

export function decodeBlock(data: Buffer, dayStart: number): Series {
  const bytes = inflateRawSync(data)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = bytes.length / 12
  const at = new Array<number>(count)
  const value = new Array<number>(count)
  let time = dayStart
  for (let index = 0; index < count; index += 1) {
    time += view.getUint32(index * 4, true)
    at[index] = time
    value[index] = view.getFloat64(count * 4 + index * 8, true)
  }
  return { at, value }
}

export const HOUR_MS = 3_600_000
/** Below this, reading the values is as quick as reading their hours. */
const FEWEST_FOR_HOURS = 240
/** The hour of the day, the count, and three values. */
const HOUR_BYTES = 1 + 4 + 3 * 8

/** The aggregates of the hours of a block, one after another; `null` when the block has few values. */
export function encodeHours({ at, value }: Series, dayStart: number): Buffer | null {
  if (at.length < FEWEST_FOR_HOURS) return null
  const hours = new Map<number, Aggregate>()
  for (const [index, time] of at.entries()) {
    const hour = Math.floor((time - dayStart) / HOUR_MS)
    const aggregate = hours.get(hour) ?? newAggregate()
    addValue(aggregate, value[index] as number)
    hours.set(hour, aggregate)
  }
  const bytes = Buffer.alloc(hours.size * HOUR_BYTES)
  let offset = 0
  for (const [hour, { count, min, max, scaledSum }] of hours) {
    bytes.writeUInt8(hour, offset)
    bytes.writeUInt32LE(count, offset + 1)
    bytes.writeDoubleLE(min, offset + 5)
    bytes.writeDoubleLE(max, offset + 13)
    bytes.writeDoubleLE(scaledSum, offset + 21)
    offset += HOUR_BYTES
  }
  return bytes
}

export function decodeHours(bytes: Buffer, dayStart: number): { at: number; aggregate: Aggregate }[] {
  return Array.from({ length: bytes.length / HOUR_BYTES }, (_, index) => {
    const offset = index * HOUR_BYTES
    return {
      at: dayStart + bytes.readUInt8(offset) * HOUR_MS,
      aggregate: {
        count: bytes.readUInt32LE(offset + 1),
        min: bytes.readDoubleLE(offset + 5),
        max: bytes.readDoubleLE(offset + 13),
        scaledSum: bytes.readDoubleLE(offset + 21),
      },
    }
  })
}
