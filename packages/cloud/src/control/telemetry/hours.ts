import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type Aggregate, addValue, newAggregate, startOf } from './aggregate.ts'
import type { Series } from './series.ts'

export const HOUR_MS = 3_600_000
/** Below this, reading the values is as quick as reading their hours. */
const FEWEST_FOR_HOURS = 240
/** As older versions wrote them: the hour of the day, the count, and three values. */
const OLD_BYTES = 1 + 4 + 3 * 8
/** The first byte of the present form. No hour of the day is that late. */
const PRESENT_FORM = 255

const COUNTS = ['count', 'samples'] as const
const VALUES = [
  'min',
  'max',
  'scaledSum',
  'weightedSum',
  'coveredSeconds',
  'seconds',
  'last',
  'lastAt',
  'energyKwh',
] as const
const HOUR_BYTES = 1 + COUNTS.length * 4 + VALUES.length * 8

/** The aggregates of the hours of a block, deflated; `null` when the block has few values. */
export function encodeHours(series: Series, dayStart: number): Buffer | null {
  const { at, value, spans } = series
  if (at.length < FEWEST_FOR_HOURS) return null
  const hours = new Map<number, Aggregate>()
  for (const [index, time] of at.entries()) {
    const span = spans[index] ?? null
    const hour = Math.floor((startOf(time, span) - dayStart) / HOUR_MS)
    const aggregate = hours.get(hour) ?? newAggregate()
    addValue(aggregate, time, value[index] as number, span)
    hours.set(hour, aggregate)
  }
  const all = [...hours].map(([hour, aggregate]) => encodeHour(hour, aggregate))
  return Buffer.concat([Buffer.from([PRESENT_FORM]), deflateRawSync(Buffer.concat(all))])
}

function encodeHour(hour: number, aggregate: Aggregate): Buffer {
  const bytes = Buffer.alloc(HOUR_BYTES)
  // An interval that ends on this day may have begun on the day before.
  let offset = bytes.writeInt8(hour)
  for (const field of COUNTS) offset = bytes.writeUInt32LE(aggregate[field], offset)
  for (const field of VALUES) offset = bytes.writeDoubleLE(aggregate[field], offset)
  return bytes
}

export function decodeHours(stored: Buffer, dayStart: number): { at: number; aggregate: Aggregate }[] {
  if (stored[0] !== PRESENT_FORM) return decodeOld(stored, dayStart)
  const bytes = inflateRawSync(stored.subarray(1))
  const found: { at: number; aggregate: Aggregate }[] = []
  for (let start = 0; start < bytes.length; start += HOUR_BYTES) {
    const aggregate = newAggregate()
    let offset = start + 1
    for (const field of COUNTS) {
      aggregate[field] = bytes.readUInt32LE(offset)
      offset += 4
    }
    for (const field of VALUES) {
      aggregate[field] = bytes.readDoubleLE(offset)
      offset += 8
    }
    found.push({ at: dayStart + bytes.readInt8(start) * HOUR_MS, aggregate })
  }
  return found
}

/** Reads the hours of a block that an older version wrote. It did not keep their last value. */
function decodeOld(bytes: Buffer, dayStart: number): { at: number; aggregate: Aggregate }[] {
  return Array.from({ length: bytes.length / OLD_BYTES }, (_, index) => {
    const offset = index * OLD_BYTES
    const at = dayStart + bytes.readUInt8(offset) * HOUR_MS
    const count = bytes.readUInt32LE(offset + 1)
    const [min, max, scaledSum] = [5, 13, 21].map((place) => bytes.readDoubleLE(offset + place)) as [
      number,
      number,
      number,
    ]
    const unknownLast = { last: Number.NaN, lastAt: at + HOUR_MS - 1 }
    return { at, aggregate: { ...newAggregate(), count, samples: count, min, max, scaledSum, ...unknownLast } }
  })
}
