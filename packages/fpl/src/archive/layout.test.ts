import { describe, expect, test } from 'vitest'
import { verdictOn } from '../testing/verdict.ts'
import {
  buildZip,
  type DescriptorKind,
  dataDescriptor,
  type EntryParts,
  extraField,
  unicodePathExtra,
  zip64Extra,
} from '../testing/zip-builder.ts'
import { type ByteSource, bytesSource } from './byte-source.ts'
import { verifyArchive } from './verify.ts'

const file = { name: 'a.txt', data: 'hello' }
const CRC = 0x3610a686
const SATURATED = 0xffffffff

describe('a valid local header', () => {
  const taken: [string, EntryParts][] = [
    ['a different deflate level', { ...file, method: 8, local: { flags: 2 } }],
    ['different extras', { ...file, local: { extra: extraField(0x5455, Buffer.alloc(9)) } }],
    ['zeros that align the data', { ...file, local: { extra: Buffer.alloc(3) } }],
    ['a different required version', { ...file, local: { versionNeeded: 45 } }],
    [
      'zip64 sizes that the directory does not need',
      { ...file, local: { size: SATURATED, compressedSize: SATURATED, extra: zip64Extra(5, 5) } },
    ],
    ['one size in the zip64 extra', { ...file, local: { size: SATURATED, extra: zip64Extra(5) } }],
    ['unused zip64 room', { ...file, local: { extra: zip64Extra(0, 0) } }],
    ['unused zip64 room that is filled in', { ...file, local: { extra: zip64Extra(5, 5) } }],
    ['sizes ahead of a descriptor', { ...file, descriptor: 'signed', local: { size: 5 } }],
    ['zip64 zeros ahead of a descriptor', { ...file, descriptor: 'signed64', zip64: true }],
  ]
  test.each(taken)('%s', (_, entry) => {
    expect(verdictOn([entry, { name: 'b.txt' }])).toBe('accepted')
  })

  test.each<DescriptorKind>(['signed', 'unsigned', 'signed64', 'unsigned64'])(
    'may be followed by %s descriptors, between entries and at the end',
    (descriptor) => {
      expect(
        verdictOn([
          { ...file, descriptor },
          { name: 'b.txt', data: 'x', method: 8, descriptor },
        ]),
      ).toBe('accepted')
    },
  )
})

describe('an invalid local header', () => {
  const refused: [string, EntryParts][] = [
    ['no local header at its offset', { ...file, local: { signature: 0x04034b51 } }],
    ['the local header has a different name', { ...file, local: { name: 'b.txt' } }],
    ['the local header has a different name', { ...file, local: { name: 'A.txt' } }],
    ['the local header has a different name', { ...file, local: { name: 'a.tx' } }],
    ['the local header has a different method', { ...file, local: { method: 8 } }],
    ['the local header has different flags', { ...file, local: { flags: 0x0001 } }],
    ['the local header has different flags', { ...file, local: { flags: 0x0800 } }],
    ['the local header has different flags', { ...file, local: { flags: 0x0008 } }],
    ['the local header has different flags', { ...file, local: { flags: 0x0020 } }],
    ['needs unknown version 99 of the format', { ...file, local: { versionNeeded: 99 } }],
    ['the local header has a different CRC', { ...file, local: { crc32: 1 } }],
    ['the local header has a different CRC', { ...file, local: { crc32: 0 } }],
    ['the local header has a different CRC', { ...file, descriptor: 'signed', local: { crc32: 1 } }],
    ['the local header has different sizes', { ...file, local: { size: 6 } }],
    ['the local header has different sizes', { ...file, local: { compressedSize: 4 } }],
    ['the local header has different sizes', { ...file, local: { size: 0, compressedSize: 0 } }],
    ['the local header has different sizes', { ...file, descriptor: 'signed', local: { size: 6 } }],
    [
      'the local header has different sizes',
      { ...file, local: { size: SATURATED, compressedSize: SATURATED, extra: zip64Extra(6, 5) } },
    ],
    [
      'the local header has different sizes',
      { ...file, local: { size: SATURATED, compressedSize: SATURATED, extra: zip64Extra(5, 6) } },
    ],
    ['the zip64 extra is missing', { ...file, local: { size: SATURATED, compressedSize: SATURATED } }],
    [
      'the zip64 extra has the wrong size',
      { ...file, local: { size: SATURATED, compressedSize: SATURATED, extra: zip64Extra(5) } },
    ],
    ['the zip64 extra has the wrong size', { ...file, local: { extra: zip64Extra(6, 6) } }],
    ['the zip64 extra has the wrong size', { ...file, local: { extra: zip64Extra(5) } }],
    [
      'the zip64 extra appears twice',
      { ...file, local: { extra: Buffer.concat([zip64Extra(5, 5), zip64Extra(5, 5)]) } },
    ],
    ['an extra field extends past its end', { ...file, local: { extra: Uint8Array.of(1) } }],
    ['the Unicode path extra differs from the name', { ...file, local: { extra: unicodePathExtra('a.txt', 'b.txt') } }],
    ['the data descriptor is missing', { ...file, descriptor: 'signed', rawDescriptor: Buffer.alloc(0) }],
    [
      'the data descriptor does not match the directory',
      { ...file, descriptor: 'signed', rawDescriptor: dataDescriptor('signed', CRC + 1, 5, 5) },
    ],
    [
      'the data descriptor does not match the directory',
      { ...file, descriptor: 'unsigned', rawDescriptor: dataDescriptor('unsigned', CRC, 6, 5) },
    ],
    [
      'the data descriptor does not match the directory',
      { ...file, descriptor: 'signed64', rawDescriptor: dataDescriptor('signed64', CRC, 5, 2 ** 32 + 5) },
    ],
    [
      'the data descriptor does not match the directory',
      { ...file, descriptor: 'signed', rawDescriptor: Buffer.alloc(16) },
    ],
    [
      'the data descriptor does not match the directory',
      { ...file, descriptor: 'signed', rawDescriptor: Buffer.alloc(13) },
    ],
    [
      'is followed by 16 bytes that do not belong to any entry',
      { ...file, rawDescriptor: dataDescriptor('signed', CRC, 5, 5) },
    ],
    [
      'is followed by 25 bytes that do not belong to any entry',
      { ...file, descriptor: 'signed', rawDescriptor: Buffer.alloc(25) },
    ],
  ]
  test.each(refused)('%s', (rule, entry) => {
    expect(verdictOn([{ name: 'first' }, entry])).toBe(`entry 1 (a.txt): ${rule}`)
    expect(verdictOn([entry, { name: 'last' }])).toBe(`entry 0 (a.txt): ${rule}`)
  })
})

describe('the layout', () => {
  const other = { name: 'b.txt', data: 'other' }

  test('may have directory records in any order, and lists files in order of offset', () => {
    const archive = buildZip([{ name: 'folder/' }, file, other])
    const directory = archive.subarray(-22 - 53 - 51 - 51, -22)
    const [folder, first, second] = [directory.subarray(0, 53), directory.subarray(53, 104), directory.subarray(104)]
    const entries = archive.subarray(0, archive.length - 22 - directory.length)
    const turned = Buffer.concat([entries, second, folder, first, archive.subarray(-22)])
    const { files } = verifyArchive(bytesSource(turned))
    expect(files.map(({ path, index }) => [path, index])).toEqual([
      ['a.txt', 2],
      ['b.txt', 0],
    ])
  })

  test.each<[string, EntryParts[]]>([
    [
      'entry 0 (a.txt): is followed by 3 bytes that do not belong to any entry',
      [file, { ...other, before: Buffer.from('gap') }],
    ],
    [
      'entry 0 (a.txt): is followed by a local entry that the directory does not name',
      [file, { name: 'x', unlisted: true }, other],
    ],
    [
      'entry 0 (a.txt): is followed by a local entry that the directory does not name',
      [{ ...file, descriptor: 'signed' }, { name: 'x', unlisted: true }, other],
    ],
    [
      'entry 1 (b.txt): is followed by a local entry that the directory does not name',
      [file, other, { name: 'x', unlisted: true }],
    ],
    ['31 bytes before the first entry', [{ name: 'x', unlisted: true }, file]],
    ['entry 0 (a.txt): overlaps entry 1 (a2)', [file, { name: 'a2', ghost: true, central: { offset: 0 } }, other]],
    [
      'entry 0 (a.txt): overlaps entry 1 (b.txt)',
      [{ ...file, local: { compressedSize: 6, size: 6 }, central: { compressedSize: 6, size: 6 } }, other],
    ],
    ['entry 1 (b.txt): extends into the directory', [file, { ...other, central: { size: 6, compressedSize: 6 } }]],
    ['entry 1 (b.txt): points into the directory', [file, { ...other, ghost: true }]],
    ['entry 1 (b.txt): points into the directory', [file, { ...other, central: { offset: 0xfffffffe } }]],
    [
      'entry 1 (b.txt): points into the directory',
      [file, { ...other, central: { offset: SATURATED, extra: zip64Extra(2n ** 64n - 1n) } }],
    ],
  ])('%s', (verdict, entries) => {
    expect(verdictOn(entries)).toBe(verdict)
  })

  test('must not hide an entry in the data of another: they overlap', () => {
    const inner = buildZip([{ name: 'b.txt', data: 'inner' }]).subarray(0, 40)
    const hidden = { name: 'b.txt', data: 'inner', ghost: true, central: { offset: 35 } }
    expect(verdictOn([{ name: 'a.txt', data: inner }, hidden])).toBe('entry 0 (a.txt): overlaps entry 1 (b.txt)')
  })

  test('must not have bytes before the directory', () => {
    expect(verdictOn([file], { beforeDirectory: Buffer.from('gap') })).toBe(
      'entry 0 (a.txt): is followed by 3 bytes that do not belong to any entry',
    )
    expect(verdictOn([], { beforeDirectory: Buffer.from('gap') })).toBe('3 bytes before the first entry')
  })

  test('is read with one call for small neighbours, and without reading large content', () => {
    const small = Array.from({ length: 1_000 }, (_, index) => ({
      name: `small/${index}`,
      data: 'x',
      descriptor: 'signed' as const,
    }))
    expect(readsOf(buildZip(small)).count).toBeLessThan(10)
    const large = Array.from({ length: 20 }, (_, index) => ({
      name: `large/${index}`,
      data: Buffer.alloc(1e6),
      descriptor: 'signed' as const,
    }))
    const { count, bytes } = readsOf(buildZip(large))
    expect(count).toBeLessThan(30)
    expect(bytes).toBeLessThan(250_000)
  })
})

function readsOf(archive: Uint8Array): { count: number; bytes: number } {
  const inner = bytesSource(archive)
  const reads = { count: 0, bytes: 0 }
  const counting: ByteSource = {
    size: inner.size,
    read(target, position) {
      reads.count += 1
      reads.bytes += target.length
      inner.read(target, position)
    },
  }
  verifyArchive(counting)
  return reads
}
