import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../archive/archive.ts'
import { bytesSource } from '../archive/byte-source.ts'
import { PackageRefused } from '../refusal.ts'
import { randomBytesOf } from '../testing/random.ts'
import { readEntries } from './read-entries.ts'
import { type FileParts, layOut, textOf } from './testing/lay-out.ts'

const SMALL = textOf(5_000)
const LARGE = textOf(9_000_000)
const REFUSED = 'The package is not a valid .fpl archive: '

async function contentsOf(files: readonly FileParts[], choose = (entries: Entry[]) => entries) {
  const { bytes, entries } = layOut(files)
  const contents = new Map<string, Buffer>()
  const ended: string[] = []
  await readEntries(bytesSource(bytes), choose(entries), ({ path }, chunk, isLast) => {
    contents.set(path, Buffer.concat([contents.get(path) ?? Buffer.alloc(0), chunk]))
    if (isLast) ended.push(path)
  })
  return { contents: [...contents.values()], paths: [...contents.keys()], ended }
}

describe('readEntries', () => {
  test('returns stored, deflated, empty, small and large entries completely, in order of offset', async () => {
    const contents = [
      SMALL,
      Buffer.alloc(0),
      LARGE,
      Buffer.alloc(0),
      textOf(1),
      LARGE,
      textOf(3_000_000),
      randomBytesOf(70_000, 1),
    ]
    const files = contents.map((content, index) => ({
      content,
      method: index % 2 ? ('deflated' as const) : ('stored' as const),
    }))
    const read = await contentsOf(files, (entries) => entries.toReversed())
    expect(read.contents.map((content, index) => content.equals(contents[index] as Buffer))).toEqual(
      contents.map(() => true),
    )
    expect(read.ended).toEqual(contents.map((_, index) => `attachments/${index}.txt`))
    expect(read.paths).toEqual(read.ended)
  })

  test('keeps thousands of small entries apart', async () => {
    const contents = Array.from({ length: 5_000 }, (_, index) => textOf(index % 700, index))
    const files = contents.map((content, index) => ({
      content,
      method: index % 3 ? ('deflated' as const) : ('stored' as const),
    }))
    const read = await contentsOf(files)
    expect(read.contents.every((content, index) => content.equals(contents[index] as Buffer))).toBe(true)
    expect(read.contents).toHaveLength(contents.length)
  })

  test('reads only the requested entries, however far apart', async () => {
    const files = Array.from({ length: 40 }, (_, index) => ({ content: randomBytesOf(30_000, index) }))
    const read = await contentsOf(files, (entries) => entries.filter(({ index }) => index === 2 || index === 39))
    expect(read.paths).toEqual(['attachments/2.txt', 'attachments/39.txt'])
    expect(read.contents[1]?.equals(files[39]?.content as Buffer)).toBe(true)
  })

  test('reads gzip files, which start with the bytes that join small entries', async () => {
    const gzipLike = Buffer.from([0x1f, 0x8b, 8, 0, 0x1f, 0x8b, 8])
    const files = Array.from({ length: 3 }, () => ({
      content: gzipLike,
      method: 'deflated' as const,
      data: deflateRawSync(gzipLike, { level: 0 }),
    }))
    expect((await contentsOf(files)).contents).toEqual([gzipLike, gzipLike, gzipLike])
  })

  test('accepts an empty list of entries', async () => {
    expect((await contentsOf([])).paths).toEqual([])
  })

  test('waits for a slow visitor', async () => {
    const { bytes, entries } = layOut([{ content: SMALL }, { content: LARGE, method: 'deflated' }, { content: SMALL }])
    let [busy, most] = [0, 0]
    const crcs = new Map<string, number>()
    await readEntries(bytesSource(bytes), entries, async ({ path }, chunk) => {
      busy += 1
      most = Math.max(most, busy)
      await new Promise((resolve) => setImmediate(resolve))
      crcs.set(path, crc32(chunk, crcs.get(path) ?? 0))
      busy -= 1
    })
    expect(most).toBe(1)
    expect([...crcs.values()]).toEqual(entries.map((entry) => entry.crc32))
  })
})

describe('an entry that does not match its headers', () => {
  const deflated = (content: Buffer) => deflateRawSync(content)
  const cases: [rule: string, make: (content: Buffer) => FileParts][] = [
    ['its content does not match its checksum (CRC-32)', (content) => ({ content, declared: { crc32: 1 } })],
    [
      'its content does not match its checksum (CRC-32)',
      (content) => ({ content, method: 'deflated', declared: { crc32: 1 } }),
    ],
    [
      'its content is longer than the declared SIZE bytes',
      (content) => ({ content, method: 'deflated', declared: { size: content.length - 1 } }),
    ],
    [
      'its content has REAL bytes, not the declared SIZE',
      (content) => ({ content, method: 'deflated', declared: { size: content.length + 1 } }),
    ],
    [
      'its content is longer than the declared SIZE bytes',
      (content) => ({ content, declared: { size: content.length - 1 } }),
    ],
    [
      'its content has REAL bytes, not the declared SIZE',
      (content) => ({ content, declared: { size: content.length + 1 } }),
    ],
    [
      'its compressed data ends 3 bytes before the declared end',
      (content) => ({ content, method: 'deflated', data: Buffer.concat([deflated(content), Buffer.from('abc')]) }),
    ],
    [
      'its compressed data ends 400000 bytes before the declared end',
      (content) => ({ content, method: 'deflated', data: Buffer.concat([deflated(content), Buffer.alloc(400_000)]) }),
    ],
    [
      'its compressed data is truncated',
      (content) => ({ content, method: 'deflated', data: deflated(content).subarray(0, -1) }),
    ],
    ['its compressed data is truncated', (content) => ({ content, method: 'deflated', data: Buffer.alloc(0) })],
    ['its compressed data is damaged', (content) => ({ content, method: 'deflated', data: Buffer.alloc(40, 0xff) })],
  ]
  const sizes: [string, Buffer][] = [
    ['small', SMALL],
    ['large', LARGE],
  ]

  describe.each(sizes)('%s', (_size, content) => {
    test.each(cases)('%s', async (rule, make) => {
      const file = make(content)
      const declared = file.declared?.size ?? content.length
      const message = rule.replace('SIZE', String(declared)).replace('REAL', String(content.length))
      const good: FileParts = { content: SMALL, method: 'deflated' }
      const visited: string[] = []
      const { bytes, entries } = layOut([good, good, file, good])
      const reading = readEntries(bytesSource(bytes), entries, ({ path }, _chunk, isLast) => {
        if (isLast) visited.push(path)
      })
      await expect(reading).rejects.toThrow(new PackageRefused(`${REFUSED}entry 2 (attachments/2.txt): ${message}`))
      expect(visited).toEqual(['attachments/0.txt', 'attachments/1.txt'])
    })
  })

  test('is rejected when it is empty', async () => {
    const content = Buffer.alloc(0)
    const read = (file: FileParts) => contentsOf([{ content: SMALL, method: 'deflated' }, file])
    await expect(read({ content, method: 'deflated', data: deflated(SMALL) })).rejects.toThrow(
      'entry 1 (attachments/1.txt): its content is longer than the declared 0 bytes',
    )
    await expect(read({ content, method: 'deflated', data: Buffer.from([3, 0, 0]) })).rejects.toThrow(
      'entry 1 (attachments/1.txt): its compressed data ends 1 bytes before the declared end',
    )
    await expect(read({ content, declared: { crc32: 7 } })).rejects.toThrow(
      'entry 1 (attachments/1.txt): its content does not match its checksum (CRC-32)',
    )
  })

  test('is not inflated past its declared size', async () => {
    const zeros = deflateRawSync(Buffer.alloc(50_000_000))
    let taken = 0
    const { bytes, entries } = layOut([
      { content: Buffer.alloc(0), method: 'deflated', data: zeros, declared: { size: 6_000_000 } },
    ])
    const reading = readEntries(bytesSource(bytes), entries, (_entry, chunk) => {
      taken += chunk.length
    })
    await expect(reading).rejects.toThrow('its content is longer than the declared 6000000 bytes')
    expect(taken).toBeLessThanOrEqual(6_000_000)
  })
})

describe('readEntries', () => {
  test.each(['stored', 'deflated'] as const)('rejects a file that was truncated after opening: %s', async (method) => {
    for (const content of [SMALL, randomBytesOf(5_000_000, 3)]) {
      const { bytes, entries } = layOut([{ content, method }])
      const source = bytesSource(bytes.subarray(0, -100))
      await expect(readEntries(source, entries, () => {})).rejects.toThrow(
        `${REFUSED}the file became shorter while it was read`,
      )
    }
  })

  test.each(['stored', 'deflated'] as const)('throws the abort reason of its signal: %s', async (method) => {
    for (const content of [textOf(3_000_000), LARGE]) {
      const { bytes, entries } = layOut(Array.from({ length: 4 }, () => ({ content, method })))
      const stop = new AbortController()
      const reason = new Error('enough')
      const ended: number[] = []
      const visit = ({ index }: Entry, _chunk: Uint8Array, isLast: boolean) => {
        stop.abort(reason)
        if (isLast) ended.push(index)
      }
      await expect(readEntries(bytesSource(bytes), entries, visit, stop.signal)).rejects.toBe(reason)
      expect(ended.length).toBeLessThanOrEqual(1)
    }
  })

  test('passes on an error of the visitor unchanged', async () => {
    const error = new Error('disk full')
    for (const method of ['stored', 'deflated'] as const) {
      const { bytes, entries } = layOut([{ content: LARGE, method }])
      const fail = () => {
        throw error
      }
      await expect(readEntries(bytesSource(bytes), entries, fail)).rejects.toBe(error)
    }
  })
})
