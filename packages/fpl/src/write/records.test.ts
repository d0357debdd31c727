import { describe, expect, test } from 'vitest'
import { directoryRecord, endRecords } from './records.ts'

const FOUR_GB = 0xffffffff
const at = (offset: number) =>
  directoryRecord({
    name: Buffer.from('a'),
    method: 'stored',
    described: false,
    crc32: 1,
    compressedSize: 2,
    size: 2,
    offset,
  })

describe('a directory record', () => {
  test('stores an offset below 4 GB in the classic field alone', () => {
    const record = at(FOUR_GB - 1)
    expect(record.readUInt32LE(42)).toBe(FOUR_GB - 1)
    expect(record.length).toBe(46 + 1)
  })

  test.each([FOUR_GB, FOUR_GB + 1, 4_999_999_999])('stores only the offset %d in zip64', (offset) => {
    const record = at(offset)
    expect(record.readUInt32LE(42)).toBe(FOUR_GB)
    expect(record.subarray(47, 51)).toEqual(Buffer.from([1, 0, 8, 0]))
    expect(record.readBigUInt64LE(51)).toBe(BigInt(offset))
    expect(record.readUInt16LE(6)).toBe(45)
    expect([record.readUInt32LE(20), record.readUInt32LE(24)]).toEqual([2, 2])
  })
})

describe('the end of a package', () => {
  test('is the classic record alone if the directory starts below 4 GB', () => {
    expect(endRecords({ entries: 3, size: 100, offset: FOUR_GB - 1 })).toHaveLength(22)
  })

  test('starts with the zip64 records if the directory starts past 4 GB', () => {
    const records = endRecords({ entries: 3, size: 100, offset: FOUR_GB })
    expect(records).toHaveLength(56 + 20 + 22)
    expect(records.readBigUInt64LE(48)).toBe(BigInt(FOUR_GB))
    expect(records.readBigUInt64LE(56 + 8)).toBe(BigInt(FOUR_GB + 100))
    expect(records.readUInt32LE(56 + 20 + 16)).toBe(FOUR_GB)
  })
})
