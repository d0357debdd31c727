import { describe, expect, test } from 'vitest'
import { verdictOn } from '../testing/verdict.ts'
import { type EntryParts, extraField, unicodePathExtra, zip64Extra } from '../testing/zip-builder.ts'

const file = { name: 'a.txt', data: 'hello' }
const SATURATED = 0xffffffff

describe('a valid directory record', () => {
  const taken: [string, EntryParts][] = [
    ['stored', file],
    ['deflated', { ...file, method: 8 }],
    ['an empty file, stored or deflated', { name: 'empty', method: 8 }],
    ['unnecessary zip64 extras', { ...file, zip64: true }],
    ['only one value in the zip64 extra', { ...file, central: { size: SATURATED, extra: zip64Extra(5) } }],
    ['its disk in the zip64 extra', { ...file, central: { disk: 0xffff, extra: extraField(1, Buffer.alloc(4)) } }],
    [
      'irrelevant extras',
      { ...file, extra: Buffer.concat([extraField(0x5455, Buffer.alloc(9)), extraField(0xcafe, Buffer.alloc(0))]) },
    ],
    [
      'zero padding after the extras',
      { ...file, extra: Buffer.concat([extraField(0xd935, Buffer.alloc(2)), Buffer.alloc(3)]) },
    ],
    ['a Unicode path that repeats the name', { name: 'õ.txt', data: 'x', extra: unicodePathExtra('õ.txt', 'õ.txt') }],
    ['a comment', { ...file, central: { comment: 'of the file' } }],
    ['a folder', { name: 'attachments/' }],
    ['a folder with an empty deflate stream', { name: 'attachments/', method: 8, descriptor: 'signed' }],
    ['the Unix mode of a file', { ...file, central: { externalAttributes: 0o100644 * 65_536 } }],
    ['the Unix mode of a folder', { name: 'a/', central: { externalAttributes: 0o040755 * 65_536 + 0x10 } }],
    ['a Unix mode without a type', { ...file, central: { externalAttributes: 0o600 * 65_536 } }],
    ['a version with the system in its high byte', { ...file, central: { versionNeeded: 0x0314 } }],
  ]
  test.each(taken)('%s', (_, entry) => {
    expect(verdictOn([entry])).toBe('accepted')
  })
})

describe('an invalid directory record', () => {
  const refused: [string, EntryParts][] = [
    ['is encrypted', { ...file, central: { flags: 0x0001 } }],
    ['is encrypted', { ...file, central: { flags: 0x0040 } }],
    ['is encrypted', { ...file, central: { flags: 0x2000 } }],
    ['is encrypted', { ...file, central: { flags: 0x0001, method: 99 } }],
    ['method 1 is neither stored nor deflate', { ...file, central: { method: 1 } }],
    ['method 9 is neither stored nor deflate', { ...file, central: { method: 9 } }],
    ['method 65535 is neither stored nor deflate', { ...file, central: { method: 65_535 } }],
    ['has unknown flags (0x20)', { ...file, central: { flags: 0x0020 } }],
    ['has unknown flags (0xd790)', { ...file, central: { flags: 0xd790 } }],
    ['needs unknown version 64 of the format', { ...file, central: { versionNeeded: 64 } }],
    ['is on another disk', { ...file, central: { disk: 1 } }],
    ['is on another disk', { ...file, central: { disk: 0xffff, extra: extraField(1, Uint8Array.of(1, 0, 0, 0)) } }],
    ['the zip64 extra is missing', { ...file, central: { size: SATURATED } }],
    ['the zip64 extra is missing', { ...file, central: { compressedSize: SATURATED } }],
    ['the zip64 extra is missing', { ...file, central: { offset: SATURATED } }],
    ['the zip64 extra is missing', { ...file, central: { disk: 0xffff } }],
    ['the zip64 extra has the wrong size', { ...file, central: { size: SATURATED, extra: zip64Extra() } }],
    ['the zip64 extra has the wrong size', { ...file, central: { size: SATURATED, extra: zip64Extra(5, 5) } }],
    [
      'the zip64 extra has the wrong size',
      { ...file, central: { size: SATURATED, compressedSize: SATURATED, extra: zip64Extra(5) } },
    ],
    ['the zip64 extra has the wrong size', { ...file, central: { extra: zip64Extra(5, 5) } }],
    [
      'the zip64 extra appears twice',
      { ...file, central: { size: SATURATED, extra: Buffer.concat([zip64Extra(5), zip64Extra(6)]) } },
    ],
    ['an extra field extends past its end', { ...file, central: { extra: Uint8Array.of(0x55, 0x54, 1, 0) } }],
    ['an extra field extends past its end', { ...file, central: { extra: Uint8Array.of(0, 0, 1) } }],
    [
      'the Unicode path extra differs from the name',
      { ...file, central: { extra: unicodePathExtra('a.txt', 'b.txt') } },
    ],
    [
      'the Unicode path extra differs from the name',
      { ...file, central: { extra: unicodePathExtra('b.txt', 'a.txt') } },
    ],
    [
      'the Unicode path extra differs from the name',
      { ...file, central: { extra: unicodePathExtra('a.txt', 'a.txt', 2) } },
    ],
    [
      'the Unicode path extra differs from the name',
      { ...file, central: { extra: extraField(0x7075, Uint8Array.of(1)) } },
    ],
    [
      'the Unicode path extra appears twice',
      { ...file, extra: Buffer.concat([unicodePathExtra('a.txt', 'a.txt'), unicodePathExtra('a.txt', 'a.txt')]) },
    ],
    ['is stored, but its two sizes differ', { ...file, central: { size: 6 } }],
    ['exceeds 100 MB', { ...file, method: 8, central: { size: 100_000_001 } }],
    ['exceeds 100 MB', { ...file, method: 8, central: { size: SATURATED, extra: zip64Extra(2n ** 64n - 1n) } }],
    ['is a symbolic link', { ...file, central: { externalAttributes: 0o120777 * 65_536 } }],
    ['is a symbolic link', { ...file, central: { versionMadeBy: 0x1314, externalAttributes: 0o120777 * 65_536 } }],
    ['is a symbolic link', { ...file, central: { versionMadeBy: 20, externalAttributes: 0o120777 * 65_536 } }],
    ['is a special file', { ...file, central: { externalAttributes: 0o010644 * 65_536 } }],
    ['is a special file', { ...file, central: { externalAttributes: 0o020644 * 65_536 } }],
    ['is a special file', { ...file, central: { externalAttributes: 0o060644 * 65_536 } }],
    ['is a special file', { ...file, central: { externalAttributes: 0o140644 * 65_536 } }],
    ['is a volume label', { ...file, central: { externalAttributes: 0x08 } }],
    [
      'is a file according to its name, but a folder according to its attributes',
      { ...file, central: { externalAttributes: 0x10 } },
    ],
    [
      'is a file according to its name, but a folder according to its attributes',
      { ...file, central: { externalAttributes: 0o040755 * 65_536 } },
    ],
  ]
  test.each(refused)('%s', (rule, entry) => {
    expect(verdictOn([{ name: 'first' }, entry])).toBe(`entry 1 (a.txt): ${rule}`)
  })

  const refusedFolders: [string, EntryParts][] = [
    ['is a folder with data', { name: 'a/', data: 'x' }],
    ['is a folder with data', { name: 'a/', data: 'x', method: 8 }],
    ['is a folder with data', { name: 'a/', method: 8, central: { compressedSize: 3 } }],
    [
      'is a folder according to its name, but a file according to its attributes',
      { name: 'a/', central: { externalAttributes: 0o100644 * 65_536 } },
    ],
  ]
  test.each(refusedFolders)('%s', (rule, entry) => {
    expect(verdictOn([entry])).toBe(`entry 0 (a/): ${rule}`)
  })

  test('has no signature', () => {
    expect(verdictOn([file, { ...file, central: { signature: 0x05054b50 } }])).toBe(
      'entry 1: a directory record is missing',
    )
  })

  test('does not end where the directory ends', () => {
    const tooShort = { beforeDirectory: Buffer.alloc(0), afterDirectory: Buffer.from('PK\x01\x02') }
    const sized = { directorySize: 51 + 4 }
    expect(verdictOn([file], { ...tooShort, end: sized })).toBe('entry 1: its record extends past the directory')
    const longComment = { ...file, central: { comment: 'x'.repeat(30) } }
    expect(verdictOn([longComment], { end: { directoryOffset: 41, directorySize: 80 } })).toMatch(
      /^entry 0: a directory record is missing/,
    )
  })
})
