import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { decodeIntervals, encodeIntervals } from './interval-columns.ts'
import { growSeries, type Series } from './series.ts'

/** The first byte of a block with intervals. No deflated block begins with it. */
const OF_INTERVALS = 7

/**
 * The values of one datapoint on one day, as they are stored. Samples: the distances between the times (32 bits) and then
 * the values (64 bits), little-endian and deflated. Regular times shrink to almost nothing; values with few digits to one to
 * four bytes. Intervals: a byte of their own, and their columns, deflated.
 */
export function encodeBlock(series: Series, dayStart: number): Buffer {
  if (series.spans.some((span) => span !== null)) {
    return Buffer.concat([Buffer.from([OF_INTERVALS]), deflateRawSync(encodeIntervals(series, dayStart), { level: 9 })])
  }
  const { at, value } = series
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
  if (data[0] === OF_INTERVALS) return decodeIntervals(inflateRawSync(data.subarray(1)), dayStart)
  const bytes = inflateRawSync(data)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = bytes.length / 12
  const { series, add } = growSeries()
  let time = dayStart
  for (let index = 0; index < count; index += 1) {
    time += view.getUint32(index * 4, true)
    add(time, view.getFloat64(count * 4 + index * 8, true), null)
  }
  return series
}
