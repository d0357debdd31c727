import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pathOf } from './durable-files.ts'
import { packageKey } from './keys.ts'
import { createContentSum, createSums, versionOfFile } from './sums.ts'
import { openDiskRig } from './testing/disk-rig.ts'

const KEY = packageKey('org_a', 'site_a', 'tickets.fpl')

async function rigWith(content: string) {
  const folder = temporaryFolder()
  const rig = await openDiskRig(folder)
  onTestFinished(() => rig.close())
  const upload = async (bytes: string) => {
    const url = await rig.files.uploadUrl(KEY, { expiresInS: 60 })
    expect((await fetch(url, { method: 'PUT', body: bytes })).status).toBe(200)
  }
  const version = async () => (await rig.files.stat(KEY))?.version ?? ''
  await upload(content)
  return { ...rig, upload, version, path: pathOf(join(folder, 'files'), KEY) }
}

/** The version that earlier releases gave to a file. */
function identityAt(path: string): string {
  const { ino, mtimeNs, size } = statSync(path, { bigint: true })
  return `${ino}-${mtimeNs}-${size}`
}

describe('the version of a package on disk', () => {
  test('is that of its bytes: the same bytes uploaded again are the same package', async () => {
    const { upload, version, files } = await rigWith('the same bytes')
    const first = await version()
    await upload('the same bytes')
    expect(await version()).toBe(first)
    await expect(files.fetch(KEY, first, temporaryFolder())).resolves.toBeTruthy()
    await upload('other bytes!!!')
    expect(await version()).not.toBe(first)
    await expect(files.fetch(KEY, first, temporaryFolder())).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('survives the loss of what was kept beside it, and a restored backup', async () => {
    const { version, path, files } = await rigWith('precious')
    const before = await version()
    for (const spoil of [
      () => rmSync(`${path}.version`),
      () => writeFileSync(`${path}.version`, `${identityAt(path)} sha256-0`),
      () => writeFileSync(`${path}.version`, ''),
      () => {
        copyFileSync(path, `${path}.copy`)
        renameSync(`${path}.copy`, path)
      },
    ]) {
      spoil()
      expect(await version()).toBe(before)
    }
    await files.remove(KEY, before)
    expect(await files.stat(KEY)).toBeUndefined()
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test('of an earlier release still leads to its file', async () => {
    const { path, files, upload } = await rigWith('uploaded before the update')
    const identity = identityAt(path)
    await expect(files.fetch(KEY, identity, temporaryFolder())).resolves.toBeTruthy()
    await upload('another')
    await expect(files.fetch(KEY, identity, temporaryFolder())).rejects.toMatchObject({ kind: 'conflict' })
    await files.remove(KEY, identity)
    expect(await files.stat(KEY)).toBeDefined()
    await files.remove(KEY, identityAt(path))
    expect(await files.stat(KEY)).toBeUndefined()
  })
})

test('a version is the hash of the hashes of 8 MiB parts, in whatever pieces the bytes are written', async () => {
  const bytes = Buffer.alloc(17 * 1024 * 1024 + 3, 'plantroom')
  const sha256 = (part: Uint8Array) => createHash('sha256').update(part).digest()
  const parts = [0, 1, 2].map((index) => sha256(bytes.subarray(index * 8 * 1024 * 1024, (index + 1) * 8 * 1024 * 1024)))
  const expected = `sha256-${sha256(Buffer.concat(parts)).toString('hex')}-${bytes.length}`
  const sumOf = createSums()
  for (const step of [1_000_003, bytes.length]) {
    await using file = await open(join(temporaryFolder(), 'file'), 'wx+')
    await using sum = createContentSum(file, sumOf)
    for (let from = 0; from < bytes.length; from += step) {
      await file.write(bytes.subarray(from, from + step))
      sum.grow(Math.min(bytes.length, from + step))
    }
    expect(await sum.version()).toBe(expected)
    expect(await versionOfFile(file, sumOf)).toBe(expected)
  }
  await using empty = await open(join(temporaryFolder(), 'empty'), 'wx+')
  expect(await versionOfFile(empty, sumOf)).toBe(`sha256-${sha256(Buffer.alloc(0)).toString('hex')}-0`)
})

test('a file that became shorter has no version', async () => {
  await using file = await open(join(temporaryFolder(), 'file'), 'wx+')
  await using sum = createContentSum(file, createSums())
  await file.write('short')
  sum.grow(100)
  await expect(sum.version()).rejects.toThrow('became shorter')
})
