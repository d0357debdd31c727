import { describe, expect, test } from 'vitest'
import { verdictOn, verdictOnSource } from '../testing/verdict.ts'
import { type ArchiveParts, buildZip } from '../testing/zip-builder.ts'
import { bytesSource } from './byte-source.ts'

const entries = [{ name: 'manifest.json', data: '{}' }]
// One local header with its name and two bytes; one directory record.
const DIRECTORY_OFFSET = 45
const DIRECTORY_SIZE = 59
const END = DIRECTORY_OFFSET + DIRECTORY_SIZE

function endRecord(fields: { entries?: number; size?: number; offset?: number; commentLength?: number } = {}) {
  const bytes = Buffer.alloc(22)
  bytes.writeUInt32LE(0x06054b50, 0)
  bytes.writeUInt16LE(fields.entries ?? 0, 8)
  bytes.writeUInt16LE(fields.entries ?? 0, 10)
  bytes.writeUInt32LE(fields.size ?? 0, 12)
  bytes.writeUInt32LE(fields.offset ?? 0, 16)
  bytes.writeUInt16LE(fields.commentLength ?? 0, 20)
  return bytes
}

describe('valid end records', () => {
  const taken: [string, ArchiveParts][] = [
    ['a plain one', {}],
    ['an archive comment', { comment: 'Kõik hooldused, 2024' }],
    ['the longest archive comment', { comment: 'x'.repeat(65_535) }],
    ['unnecessary zip64 records', { zip64End: true }],
    [
      'zip64 records and a complete classic one',
      {
        zip64End: true,
        end: { directoryOffset: DIRECTORY_OFFSET, directorySize: DIRECTORY_SIZE, entries: 1, entriesOnDisk: 1 },
      },
    ],
    ['a zip64 locator that counts no disks', { zip64End: true, locator: { disks: 0 } }],
    ['zip64 records with a comment', { zip64End: true, comment: 'zip64' }],
    ['zeros up to the end of a block, as bsdtar writes to a pipe', { afterEnd: Buffer.alloc(10_240 - END - 22) }],
    ['zeros after a comment', { comment: 'x', zip64End: true, afterEnd: Buffer.alloc(65_535) }],
    ['one zero', { afterEnd: Uint8Array.of(0) }],
  ]
  test.each(taken)('%s', (_, archive) => {
    expect(verdictOn(entries, archive)).toBe('accepted')
  })

  test('an archive without entries', () => {
    expect(verdictOn([])).toBe('accepted')
  })

  test('an archive whose last file is a stored archive with an end record', () => {
    const inner = buildZip([{ name: 'a.txt', data: 'inside' }], { comment: 'inner' })
    expect(verdictOn([...entries, { name: 'attachments/inner.zip', data: inner }])).toBe('accepted')
  })

  test('65,535 entries, which look like a zip64 marker', () => {
    const folders = Array.from({ length: 0xffff }, (_, index) => ({ name: `${index}/` }))
    expect(verdictOn(folders)).toBe('accepted')
  })
})

const REMEDY = '; an archive ends with its end record: remove what follows it'
const TOO_MANY_ZEROS =
  'more than 65,535 zero bytes after the end: write the archive to a file instead of a pipe or a tape, or cut them off'

describe('invalid end records', () => {
  const refused: [string, ArchiveParts][] = [
    [`1 bytes after the end${REMEDY}`, { afterEnd: Uint8Array.of(1) }],
    [`3 bytes after the end${REMEDY}`, { afterEnd: Uint8Array.of(0, 0, 1) }],
    [`4 bytes after the end${REMEDY}`, { comment: 'seven..', end: { commentLength: 3 } }],
    [TOO_MANY_ZEROS, { afterEnd: Buffer.alloc(65_536) }],
    [TOO_MANY_ZEROS, { afterEnd: Buffer.alloc(200_000) }],
    // A record whose comment ends with the file, with the zeros, or anywhere among them.
    ['several end records', { comment: Buffer.concat([endRecord({ commentLength: 9 }), Buffer.alloc(9)]) }],
    ['several end records', { end: { commentLength: 22 }, afterEnd: Buffer.concat([endRecord(), Buffer.alloc(9)]) }],
    ['several end records', { comment: endRecord({ commentLength: 5 }), afterEnd: Buffer.alloc(9) }],
    ['the archive comment is truncated', { comment: 'seven..', end: { commentLength: 8 } }],
    ['several end records', { comment: endRecord() }],
    ['several end records', { comment: 'PK\x05\x06' }],
    ['several end records', { end: { commentLength: 22 }, afterEnd: endRecord() }],
    ['the end record has two different entry counts, 2 and 1', { end: { entriesOnDisk: 2 } }],
    ['the end record declares 2 entries, but the directory has 1', { end: { entries: 2, entriesOnDisk: 2 } }],
    ['the end record declares 0 entries, but the directory has 1', { end: { entries: 0, entriesOnDisk: 0 } }],
    [
      `the directory ends at ${END - 1} according to its offset and size, but the end records start at ${END}`,
      { end: { directorySize: DIRECTORY_SIZE - 1 } },
    ],
    [
      `the directory ends at ${END + 1} according to its offset and size, but the end records start at ${END}`,
      { end: { directoryOffset: DIRECTORY_OFFSET + 1 } },
    ],
    [
      `the directory ends at ${END} according to its offset and size, but the end records start at ${END + 3}`,
      { afterDirectory: Buffer.from('gap') },
    ],
    ['the archive spans several disks', { end: { disk: 1 } }],
    ['the archive spans several disks', { end: { directoryDisk: 1 } }],
    ['the archive spans several disks', { zip64End: { disk: 1 }, end: { disk: 1 } }],
    ['the archive spans several disks', { zip64End: { disk: 1 }, end: { disk: 0xffff } }],
    ['the archive spans several disks', { zip64End: true, locator: { disk: 1 } }],
    ['the archive spans several disks', { zip64End: true, locator: { disks: 2 } }],
    ['the zip64 end record disagrees with the end record', { zip64End: true, end: { entries: 2 } }],
    ['the zip64 end record disagrees with the end record', { zip64End: true, end: { entriesOnDisk: 2 } }],
    ['the zip64 end record disagrees with the end record', { zip64End: true, end: { directorySize: 58 } }],
    ['the zip64 end record disagrees with the end record', { zip64End: true, end: { directoryOffset: 44 } }],
    ['the zip64 end record disagrees with the end record', { zip64End: { disk: 1 } }],
    ['the zip64 end record disagrees with the end record', { zip64End: { directoryDisk: 1 } }],
    ['the end record has two different entry counts, 2 and 1', { zip64End: { entriesOnDisk: 2 } }],
    [
      'the zip64 end record has extensible data or a wrong size',
      { zip64End: { extensibleData: Buffer.from('extra') } },
    ],
    ['the zip64 end record has extensible data or a wrong size', { zip64End: { recordSize: 43 } }],
    [
      'the zip64 end record does not end where its locator starts',
      { zip64End: { extensibleData: Buffer.from('extra'), recordSize: 44 } },
    ],
    ['the zip64 locator does not point to a zip64 end record', { zip64End: true, locator: { recordOffset: END - 1 } }],
    ['the zip64 locator does not point to a zip64 end record', { zip64End: true, locator: { recordOffset: END + 1 } }],
    [
      'the zip64 locator does not point to a zip64 end record',
      { zip64End: true, locator: { recordOffset: Number.MAX_SAFE_INTEGER } },
    ],
    ['the zip64 locator does not point to a zip64 end record', { zip64End: { signature: 0x06064b51 } }],
    [
      `the directory ends at 4294967295 according to its offset and size, but the end records start at ${END + 56}`,
      { zip64End: true, locator: false, end: { directorySize: 0 } },
    ],
  ]
  test.each(refused)('%s', (rule, archive) => {
    expect(verdictOn(entries, archive)).toBe(rule)
  })

  test('a value that exceeds the safe integers', () => {
    const archive = Buffer.from(buildZip(entries, { zip64End: true }))
    archive.fill(0xff, END + 48, END + 56)
    expect(verdictOnSource(bytesSource(archive))).toMatch(
      /^the directory ends at 1844674407370955\d+ according to its offset/,
    )
  })

  test('a record inside file data whose comment extends exactly to the end of the file', () => {
    const valid = buildZip(entries)
    const data = endRecord({ commentLength: 0 })
    const without = buildZip([{ name: 'manifest.json', data }])
    data.writeUInt16LE(without.length - 43 - 22, 20)
    expect(verdictOn([{ name: 'manifest.json', data }])).toBe('several end records')
    expect(verdictOnSource(bytesSource(valid))).toBe('accepted')
  })

  test('a file that is not an archive', () => {
    const rule = 'no end record was found; the file is not a ZIP archive or is truncated'
    expect(verdictOnSource(bytesSource(new Uint8Array()))).toBe(rule)
    expect(verdictOnSource(bytesSource(Buffer.from('{"version":"1.0"}')))).toBe(rule)
    expect(verdictOnSource(bytesSource(Buffer.alloc(100_000, 'PK\x03\x04')))).toBe(rule)
  })

  test('an archive truncated at any position', () => {
    const archive = buildZip(entries, { comment: 'comment', zip64End: true })
    for (let length = 0; length < archive.length; length += 1) {
      expect(verdictOnSource(bytesSource(archive.subarray(0, length)))).toMatch(/truncated$/)
    }
  })

  test('an archive behind other bytes, with original or adjusted offsets', () => {
    const moved = { before: Buffer.from('#!/bin/sh\n'), ...entries[0] } as const
    expect(verdictOn([{ ...moved, name: 'manifest.json' }])).toBe('10 bytes before the first entry')
    const prefixed = Buffer.concat([Buffer.from('#!/bin/sh\n'), buildZip(entries)])
    expect(verdictOnSource(bytesSource(prefixed))).toBe(
      `the directory ends at ${END} according to its offset and size, but the end records start at ${END + 10}`,
    )
  })
})
