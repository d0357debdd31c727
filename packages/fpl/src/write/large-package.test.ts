import { crc32 } from 'node:zlib'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { expect, test } from 'vitest'
import type { ByteSource } from '../archive/byte-source.ts'
import { verifyArchive } from '../archive/verify.ts'
import { readEntries } from '../content/read-entries.ts'
import { randomBytesOf } from '../testing/random.ts'
import { packageBytes } from '../write-package.ts'

const MEGABYTE = 2 ** 20
const FILES = 46
const FILE_MEGABYTES = 95
const noise = randomBytesOf(2 ** 16, 3)
const chunk = Buffer.concat(Array.from({ length: MEGABYTE / noise.length }, () => noise))

/** Stores gigabytes of repetitive content: a block equal to the previous one is kept as a reference. */
async function kept(blocks: AsyncIterable<Uint8Array>): Promise<ByteSource> {
  const all: Uint8Array[] = []
  let size = 0
  for await (const block of blocks) {
    const before = all.at(-1)
    all.push(before && Buffer.compare(before, block) === 0 ? before : block)
    size += block.length
  }
  const blockSize = all[0]?.length ?? 1
  return {
    size,
    read(target, position) {
      for (let filled = 0; filled < target.length; ) {
        const at = position + filled
        const piece = all[Math.floor(at / blockSize)]?.subarray(
          at % blockSize,
          (at % blockSize) + target.length - filled,
        )
        if (!piece) throw new Error(`nothing at ${at}`)
        target.set(piece, filled)
        filled += piece.length
      }
    },
  }
}

function* attachments() {
  for (let index = 0; index < FILES; index += 1) {
    yield { path: `attachments/${index}.jpg`, content: Array.from({ length: FILE_MEGABYTES }, () => chunk) }
  }
}

// It takes a sixth of a minute; `records.test.ts` has the fields of zip64.
test.runIf(isCampaign)('writes a package past 4 GB in zip64 and reads it back', { timeout: 300_000 }, async () => {
  await repeat(1, async () => {
    const source = await kept(packageBytes({ tickets: [], attachments: attachments() }))
    expect(source.size).toBeGreaterThan(2 ** 32)

    const { files, find } = verifyArchive(source)
    expect(files).toHaveLength(FILES + 1)
    const last = find(`attachments/${FILES - 1}.jpg`)
    if (!last) throw new Error('not found')
    expect(last.offset).toBeGreaterThan(2 ** 32)
    let sum = 0
    await readEntries(source, [last], (_entry, bytes) => {
      sum = crc32(bytes, sum)
    })
    expect(sum).toBe(last.crc32)
  })
})
