import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDiskBlobBatch } from './disk-blobs.ts'
import { pathOf } from './durable-files.ts'
import { blobKey } from './keys.ts'
import { openScratch } from './scratch.ts'
import { openDiskRig } from './testing/disk-rig.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const everything = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('lock'))
    .map((entry) => entry.name)

/** Mounts a file system of one megabyte. */
function tinyDisk(): string {
  const folder = join(temporaryFolder(), 'disk')
  mkdirSync(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder])
  onTestFinished(() => void execFileSync('umount', [folder]))
  return folder
}
const canMount = process.getuid?.() === 0 && process.platform === 'linux'

async function batchIn(root: string) {
  const scratch = await openScratch(join(root, 'unfinished'))
  onTestFinished(() => scratch.close())
  return openDiskBlobBatch(root, 'site_a', scratch)
}

describe('attachments on disk', () => {
  test('get their names at the flush, and discarded ones leave nothing behind', async () => {
    const root = temporaryFolder()
    const batch = await batchIn(root)
    const bytes = Buffer.from('content')
    await batch.add(sha256(bytes), bytes)
    expect(readdirSync(root)).toEqual(['unfinished'])
    batch.discard()
    expect(everything(root)).toEqual([])
    await batch.flush()
    expect(everything(root)).toEqual([])
  })

  test('that an earlier power cut truncated are written again', async () => {
    const root = temporaryFolder()
    const bytes = Buffer.from('content')
    const path = pathOf(root, blobKey('site_a', sha256(bytes)))
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, '')
    const batch = await batchIn(root)
    await batch.add(sha256(bytes), bytes)
    await batch.flush()
    expect(everything(root)).toEqual([sha256(bytes).toString('hex')])
  })

  test.skipIf(!canMount)('report a full disk and leave no partial file', async () => {
    const root = tinyDisk()
    const batch = await batchIn(root)
    const small = Buffer.alloc(1000, 1)
    await batch.add(sha256(small), small)
    const large = Buffer.alloc(2_000_000, 2)
    expect(() => batch.add(sha256(large), large)).toThrow('the disk is full')
    const writer = batch.begin()
    expect(() => {
      for (let piece = 0; piece < 20; piece += 1) writer.write(large.subarray(0, 100_000))
    }).toThrow('the disk is full')
    writer.discard()
    await batch.flush()
    expect(everything(root)).toEqual([sha256(small).toString('hex')])
  })

  test.skipIf(!canMount)('an upload that fills the disk is answered with 507 and leaves nothing behind', async () => {
    const rig = await openDiskRig(tinyDisk(), { freeBytes: async () => 1e12 })
    onTestFinished(() => rig.close())
    const url = await rig.files.uploadUrl('packages/org_a/site_a/x', { expiresInS: 60 })
    expect((await fetch(url, { method: 'PUT', body: Buffer.alloc(3_000_000) })).status).toBe(507)
    expect(everything(rig.scratch.folder)).toEqual([])
    expect((await fetch(url, { method: 'PUT', body: 'fits' })).status).toBe(200)
  })

  test.skipIf(!canMount)('a file is copied when it is fetched to or put from another disk', async () => {
    const rig = await openDiskRig(temporaryFolder())
    onTestFinished(() => rig.close())
    const other = tinyDisk()
    const made = join(other, 'made')
    writeFileSync(made, 'content')
    await rig.files.put('exports/site_a/job_a', made)
    const found = await rig.files.stat('exports/site_a/job_a')
    const path = await rig.files.fetch('exports/site_a/job_a', found?.version ?? '', other)
    expect(readdirSync(other)).toHaveLength(1)
    expect(path.startsWith(other)).toBe(true)
    expect(found?.size).toBe(7)
  })
})
