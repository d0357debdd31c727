import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { bytesSource } from '../archive/byte-source.ts'
import { inflateTogether } from './inflate.ts'
import { readEntries } from './read-entries.ts'
import { type FileParts, layOut, textOf } from './testing/lay-out.ts'

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const EMPTY_STREAM = Buffer.from([3, 0])

function trailer(content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(crc32(content), 0)
  bytes.writeUInt32LE(content.length, 4)
  return bytes
}

function together(files: readonly FileParts[]): Uint8Array | undefined {
  const { bytes, entries } = layOut(files)
  const bytesOf = (entry: { offset: number; compressedSize: number }) =>
    bytes.subarray(entry.offset, entry.offset + entry.compressedSize)
  return inflateTogether(entries, bytesOf, Buffer.alloc(1 << 20))
}

/** Inflating entries together must give the same verdict as inflating each alone. */
async function refusalOf(files: readonly FileParts[]): Promise<string> {
  const { bytes, entries } = layOut(files)
  return readEntries(bytesSource(bytes), entries, () => {}).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
}

describe('entries that are inflated together', () => {
  const content = textOf(300)
  const valid: FileParts = { content, method: 'deflated' }

  test('come out one after the other', () => {
    const files = Array.from({ length: 50 }, (_, index) => ({
      content: textOf(1 + index, index),
      method: 'deflated' as const,
    }))
    expect(Buffer.from(together(files) ?? [])).toEqual(Buffer.concat(files.map((file) => file.content)))
  })

  test('cannot contain a gzip member of their own', async () => {
    // Joined naively, an empty member followed by the content would add up to exactly the declared size.
    const data = Buffer.concat([EMPTY_STREAM, trailer(Buffer.alloc(0)), HEADER, deflateRawSync(content)])
    const files = [valid, { ...valid, data }, valid]
    expect(together(files)).toBeUndefined()
    expect(await refusalOf(files)).toContain(
      `entry 1 (attachments/1.txt): its compressed data ends ${data.length - 2} bytes`,
    )
  })

  test('cannot extend into the next entry', async () => {
    const next = deflateRawSync(content)
    // A stored block that swallows our trailer, our header and half of the next entry.
    const swallowed = 8 + HEADER.length + 5
    const block = Buffer.from([0, swallowed & 0xff, swallowed >> 8, ~swallowed & 0xff, (~swallowed >> 8) & 0xff])
    const files = [
      { content: textOf(40), method: 'deflated' as const, data: block },
      { ...valid, data: Buffer.concat([Buffer.alloc(5), next]) },
    ]
    expect(together(files)).toBeUndefined()
    expect(await refusalOf(files)).toContain('entry 0 (attachments/0.txt): its compressed data is truncated')
  })

  test('cannot hide bytes behind the zero padding of a gzip file', async () => {
    const data = Buffer.concat([deflateRawSync(content), trailer(content), Buffer.alloc(3)])
    const files = [valid, { ...valid, data }]
    expect(together(files)).toBeUndefined()
    expect(await refusalOf(files)).toContain('entry 1 (attachments/1.txt): its compressed data ends 11 bytes before')
  })

  test('cannot compensate a short entry with a long one', async () => {
    const [shorter, longer] = [textOf(299), textOf(301)]
    const files = [
      { ...valid, data: deflateRawSync(shorter), declared: { crc32: crc32(shorter) } },
      { ...valid, data: deflateRawSync(longer), declared: { crc32: crc32(longer) } },
    ]
    expect(together(files)).toBeUndefined()
    expect(await refusalOf(files)).toContain(
      'entry 0 (attachments/0.txt): its content has 299 bytes, not the declared 300',
    )
  })
})
