import { describe, expect, test } from 'vitest'
import { verdictOn, verdictOnSource } from '../testing/verdict.ts'
import { buildZip, type EntryParts } from '../testing/zip-builder.ts'
import { type ByteSource, bytesSource } from './byte-source.ts'
import { verifyArchive } from './verify.ts'

function numbered(count: number, name: (index: number) => string): EntryParts[] {
  return Array.from({ length: count }, (_, index) => ({ name: name(index) }))
}

/** A source of any size that is zero everywhere except in `parts`. */
function sparseSource(size: number, parts: readonly [position: number, bytes: Uint8Array][]): ByteSource {
  return {
    size,
    read(target, position) {
      target.fill(0)
      for (const [start, bytes] of parts) {
        const from = Math.max(start, position)
        const to = Math.min(start + bytes.length, position + target.length)
        if (from < to) target.set(bytes.subarray(from - start, to - start), from - position)
      }
    },
  }
}

describe('a verified archive', () => {
  test('lists files at the offset of their data, without folders', () => {
    const archive = buildZip([
      { name: 'attachments/' },
      { name: 'attachments/a.txt', data: 'hello' },
      { name: 'manifest.json', data: '{}'.padEnd(100), method: 8, descriptor: 'signed' },
    ])
    const { files } = verifyArchive(bytesSource(archive))
    expect(files).toEqual([
      {
        path: 'attachments/a.txt',
        index: 1,
        method: 'stored',
        offset: 89,
        compressedSize: 5,
        size: 5,
        crc32: 0x3610a686,
      },
      expect.objectContaining({ path: 'manifest.json', index: 2, method: 'deflated', offset: 137, size: 100 }),
    ])
    expect(Buffer.from(archive.subarray(89, 94)).toString()).toBe('hello')
  })

  test('finds a file by path in either Unicode form, and distinguishes case', () => {
    const { files, find } = verifyArchive(bytesSource(buildZip([{ name: 'attachments/o\u0303.txt' }, { name: 'Ä' }])))
    expect(find('attachments/õ.txt')).toBe(files[0])
    expect(find('attachments/o\u0303.txt')).toBe(files[0])
    expect(find('A\u0308')).toBe(files[1])
    expect(find('ä')).toBeUndefined()
    expect(find('attachments/Õ.txt')).toBeUndefined()
    expect(find('')).toBeUndefined()
  })

  test('finds neither folders nor texts that would take forever to compose', () => {
    const { find } = verifyArchive(bytesSource(buildZip([{ name: 'attachments/' }])))
    expect(find('attachments/')).toBeUndefined()
    expect(find(`a${'\u0301\u0316'.repeat(1_000_000)}`)).toBeUndefined()
  })
})

describe('the limits', () => {
  test('allow 50,000 files, not counting folders', () => {
    const files = numbered(50_000, (index) => `attachments/${index}`)
    const folders = numbered(100, (index) => `folder ${index}/`)
    expect(verdictOn([...files, ...folders])).toBe('accepted')
    expect(verdictOn([...folders, ...files, { name: 'manifest.json' }])).toBe('more than 50,000 files')
  })

  test('allow 100,000 entries', () => {
    const folders = numbered(100_000, (index) => `${index}/`)
    expect(verdictOn(folders, { zip64End: true })).toBe('accepted')
    expect(verdictOn([...folders, { name: 'x/' }], { zip64End: true })).toBe('more than 100,000 entries')
  })

  test('reject a declared count that is right modulo 65,536', () => {
    expect(verdictOn(numbered(65_538, (index) => `${index}/`))).toBe(
      'the end record declares 2 entries, but the directory has 65538',
    )
  })

  test('allow a declared size of 100 MB for one file', () => {
    const sized = (size: number) => ({ name: 'a', method: 8, central: { size }, local: { size } })
    expect(verdictOn([sized(100e6)])).toBe('accepted')
    expect(verdictOn([sized(100e6 + 1)])).toBe('entry 0 (a): exceeds 100 MB')
  })

  test('allow a declared total of 10 GB, and not one byte more', () => {
    const large = numbered(100, String).map((entry) => ({
      ...entry,
      method: 8,
      central: { size: 1e8 },
      local: { size: 1e8 },
    }))
    expect(verdictOn(large)).toBe('accepted')
    expect(verdictOn([...large, { name: 'x', data: 'x' }])).toBe('the files exceed 10 GB in total')
  })

  test('allow a package of 5 GB, with offsets past 2^32', () => {
    // The package consists of stored files: 50 of slightly less than 100 MB.
    const size = 5e9
    const stored = 99_990_000
    const parts: [number, Uint8Array][] = []
    const records: Uint8Array[] = []
    let position = 0
    for (let index = 0; index < 50; index += 1) {
      const sizes = { size: stored, compressedSize: stored }
      const far = position > 0xfffffffe ? { offset: 0xffffffff, extra: zip64Offset(position) } : { offset: position }
      const one = buildZip([{ name: `file ${10 + index}`, local: sizes, central: { ...sizes, ...far } }])
      const headerLength = 37
      parts.push([position, one.subarray(0, headerLength)])
      records.push(one.subarray(headerLength, -22))
      position += headerLength + stored
    }
    const directory = Buffer.concat(records)
    parts.push([position, directory])
    const end = Buffer.from(buildZip([], { zip64End: true }))
    for (const at of [24, 32]) end.writeBigUInt64LE(50n, at)
    end.writeBigUInt64LE(BigInt(directory.length), 40)
    end.writeBigUInt64LE(BigInt(position), 48)
    end.writeBigUInt64LE(BigInt(position + directory.length), 64)
    parts.push([position + directory.length, end])
    const source = sparseSource(position + directory.length + end.length, parts)
    expect(source.size).toBeLessThan(size)
    const { files } = verifyArchive(source)
    expect(files.at(-1)).toMatchObject({ path: 'file 59', offset: 49 * (37 + stored) + 37, size: stored })
  })

  test('reject a package above 5 GB before reading anything', () => {
    const source: ByteSource = {
      size: 5e9 + 1,
      read() {
        throw new Error('must not be read')
      },
    }
    expect(verdictOnSource(source)).toBe('the package exceeds 5 GB')
  })

  test('reject a directory above 24 MB before reading it', () => {
    const end = Buffer.from(buildZip([]))
    end.writeUInt32LE(4e9, 12)
    expect(verdictOnSource(sparseSource(4e9 + 22, [[4e9, end]]))).toBe('the directory is larger than 24 MB')
    end.writeUInt32LE(24e6, 12)
    expect(verdictOnSource(sparseSource(24e6 + 22, [[24e6, end]]))).toBe('entry 0: a directory record is missing')
  })

  test('reject a file that shrinks while it is read', () => {
    const archive = buildZip([{ name: 'a', data: Buffer.alloc(100_000) }, { name: 'b' }])
    let reads = 0
    const shrinking: ByteSource = {
      size: archive.length,
      read(target, position) {
        reads += 1
        bytesSource(reads < 4 ? archive : archive.subarray(0, 1_000)).read(target, position)
      },
    }
    expect(verdictOnSource(shrinking)).toBe('the file became shorter while it was read')
  })
})

function zip64Offset(offset: number): Uint8Array {
  const extra = Buffer.from([1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  extra.writeBigUInt64LE(BigInt(offset), 4)
  return extra
}
