import { ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bytesSource, openFileSource } from './archive/byte-source.ts'
import { verifyArchive } from './archive/verify.ts'
import { readEntries } from './content/read-entries.ts'
import { PackageRefused } from './refusal.ts'
import { randomBytesOf } from './testing/random.ts'
import { readArchive } from './testing/read-archive.ts'
import { buildZip, type EntryParts } from './testing/zip-builder.ts'

const HUNDRED_MB = 100e6
const zeros = Buffer.alloc(HUNDRED_MB)
const sum = crc32(zeros)
const shrunk = deflateRawSync(zeros, { level: 1 })

/** 100 MB of zeros in a few kilobytes, declared with this size. */
function bomb(name: string, size: number): EntryParts {
  const fields = { method: 8, crc32: sum, compressedSize: shrunk.length, size }
  return { name, rawData: shrunk, local: fields, central: fields }
}

describe('10 GB of zeros', () => {
  const files = (count: number) => Array.from({ length: count }, (_, index) => bomb(`attachments/${index}`, HUNDRED_MB))

  test('are rejected by their declared sizes when they exceed the limit', () => {
    const archive = buildZip(files(101))
    expect(() => verifyArchive(bytesSource(archive))).toThrow('10 GB')
  })

  test('are accepted up to the limit', () => {
    expect(verifyArchive(bytesSource(buildZip(files(100)))).files).toHaveLength(100)
  })

  test('never inflate past a smaller declared size', async () => {
    for (const size of [0, 1, 1_000_000, 50_000_000, HUNDRED_MB - 1]) {
      const source = bytesSource(buildZip([bomb('attachments/bomb', size)]))
      let given = 0
      const reading = readEntries(source, verifyArchive(source).files, (_entry, bytes) => {
        given += bytes.length
      })
      await expect(reading).rejects.toThrow(PackageRefused)
      expect(given).toBeLessThanOrEqual(size)
    }
  })
})

describe('a truncated package', () => {
  const manifest = { name: 'manifest.json', data: '{"version":"1.0","tickets":[]}' }
  const photo = { name: 'attachments/photo.jpg', data: randomBytesOf(3e6, 5) }
  const text = { name: 'attachments/text.txt', data: 'Cold. '.repeat(100), method: 8, descriptor: 'signed' } as const

  test.each([
    ['classic', buildZip([manifest, text])],
    ['with a comment', buildZip([manifest, text], { comment: 'by hand' })],
    ['zip64', buildZip([manifest, { ...text, zip64: true, descriptor: 'signed64' }], { zip64End: true })],
  ])('is rejected wherever it was cut: %s', async (_kind, archive) => {
    expect(await readArchive(archive)).toHaveLength(2)
    for (let length = 0; length < archive.length; length += 1) {
      await expect(readArchive(archive.subarray(0, length)), `at ${length}`).rejects.toThrow(PackageRefused)
    }
  })

  test.each([
    ['stored', photo],
    ['deflated', { ...photo, method: 8 }],
  ])('is rejected when it shrinks while it is read: %s', async (_kind, large) => {
    const path = join(temporaryFolder(), 'site.fpl')
    writeFileSync(path, buildZip([manifest, large]))
    const source = openFileSource(path)
    onTestFinished(() => source.close())
    const { files } = verifyArchive(source)
    const reading = readEntries(source, files, ({ path: name }) => {
      if (name === 'manifest.json') ftruncateSync(openSync(path, 'r+'), 1_000_000)
    })
    await expect(reading).rejects.toThrow('the file became shorter while it was read')
  })

  test('is rejected when it shrinks after its end record was read', () => {
    const path = join(temporaryFolder(), 'site.fpl')
    writeFileSync(path, buildZip([manifest, photo]))
    const source = openFileSource(path)
    onTestFinished(() => source.close())
    ftruncateSync(openSync(path, 'r+'), 100)
    expect(() => verifyArchive(source)).toThrow('the file became shorter while it was read')
  })
})
