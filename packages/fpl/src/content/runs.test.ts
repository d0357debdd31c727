import { describe, expect, test } from 'vitest'
import type { Entry } from '../archive/archive.ts'
import { isLarge, runsOf } from './runs.ts'

const MIB = 1 << 20

const entry = (offset: number, compressedSize: number, size = compressedSize): Entry => ({
  path: 'attachments/a',
  index: 0,
  method: size === compressedSize ? 'stored' : 'deflated',
  offset,
  compressedSize,
  size,
  crc32: 0,
})
const shape = (entries: readonly Entry[]) =>
  [...runsOf(entries)].map(({ start, end, entries: inRun }) => ({
    start,
    end,
    offsets: inRun.map(({ offset }) => offset),
  }))

describe('entries are read in runs', () => {
  test('that join neighbours, in order of offset', () => {
    expect(shape([entry(200, 50), entry(30, 100)])).toEqual([{ start: 30, end: 250, offsets: [30, 200] }])
  })

  test('that end at a gap costing more than a read', () => {
    expect(shape([entry(0, 10), entry(10 + 65_536, 10), entry(200_000, 10)]).map(({ offsets }) => offsets)).toEqual([
      [0, 65_546],
      [200_000],
    ])
  })

  test('that never exceed a buffer, before or after inflating', () => {
    expect(shape([entry(0, MIB / 2), entry(MIB / 2, MIB / 2), entry(MIB, 1)])).toHaveLength(2)
    expect(shape([entry(0, 10, MIB / 2), entry(10, 10, MIB / 2), entry(20, 10, 11)])).toHaveLength(2)
  })

  test('of their own when they are large, compressed or inflated', () => {
    const large = [entry(100, 4 * MIB + 1), entry(5 * MIB, 10, 4 * MIB + 1), { ...entry(6 * MIB, 10), size: 5 * MIB }]
    expect(large.every(isLarge)).toBe(true)
    const small = [entry(0, 50), entry(5 * MIB + 20, 10), entry(6 * MIB + 20, 10)]
    expect(shape([...large, ...small]).map(({ offsets }) => offsets.length)).toEqual([1, 1, 1, 1, 1, 1])
  })

  test('of which an empty list has none', () => expect(shape([])).toEqual([]))
})
