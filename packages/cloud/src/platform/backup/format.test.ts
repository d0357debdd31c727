import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomOf } from '@plantroom/testkit/random'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { FORMAT, NAMES } from './format.ts'
import { openBackup } from './reader.ts'
import { FIXTURE } from './testing/fixture.ts'
import { aDescription, sha256, writeBackup } from './testing/write-backup.ts'
import { verifyBackup } from './verify.ts'

async function verified(path: string) {
  const reader = await openBackup(path)
  try {
    return await verifyBackup(path, reader)
  } finally {
    reader.close()
  }
}

test('a backup is what was written, with every kind of size', async () => {
  const sizes = [0, 1, 511, 512, 513, 1024 * 1024, 1024 * 1024 + 1]
  const files = sizes.map((size, index) => ({
    name: `files/exports/site_1/job_${index}`,
    bytes: Buffer.alloc(size, index),
  }))
  const path = await writeBackup(aDescription(), files, { files: files.length })
  const reader = await openBackup(path)
  const found: [string, string][] = []
  for await (const entry of reader.entries())
    if (entry.name !== NAMES.description) found.push([entry.name, sha256(await entry.whole())])
  reader.close()
  expect(found).toEqual(files.map(({ name, bytes }) => [name, sha256(bytes)]))
})

test('more entries than a list of digests has are verified', async () => {
  const files = Array.from({ length: 2001 }, (_, index) => ({
    name: `files/exports/site_1/job_${index}`,
    bytes: Buffer.from(`${index}`),
  }))
  const path = await writeBackup(aDescription(), files, { files: files.length })
  expect((await verified(path)).manifest.files).toBe(2001)
})

test('a changed byte is found, or changes nothing that is restored', async () => {
  const original = readFileSync(FIXTURE.path)
  const intact = await verified(FIXTURE.path)
  const path = join(temporaryFolder(), 'changed')
  const random = randomOf(7)
  for (let round = 0; round < 40; round += 1) {
    const at = random.whole(0, original.length - 1)
    const changed = Buffer.from(original)
    changed[at] = (changed[at] ?? 0) ^ (1 << random.whole(0, 7))
    writeFileSync(path, changed)
    const outcome = await outcomeOf(path)
    if (typeof outcome === 'string') expect(outcome, `byte ${at}`).toMatch(/damaged|incomplete|not a backup|newer/)
    else expect(outcome, `byte ${at}`).toEqual(intact)
  }
})

async function outcomeOf(path: string) {
  try {
    return await verified(path)
  } catch (error) {
    return (error as Error).message
  }
}

test('a truncated backup is never taken for a complete one', async () => {
  const path = join(temporaryFolder(), 'truncated')
  const { length } = readFileSync(FIXTURE.path)
  for (let size = 0; size < length; size += size < 30_000 ? 977 : 5000) {
    writeFileSync(path, readFileSync(FIXTURE.path))
    truncateSync(path, size)
    await expect(verified(path), `${size} bytes`).rejects.toThrow(/incomplete|not a backup/)
  }
  writeFileSync(path, readFileSync(FIXTURE.path))
  truncateSync(path, length - 1)
  await expect(verified(path)).rejects.toThrow('incomplete')
})

test('names that lead elsewhere are refused', async () => {
  for (const name of ['files/../../etc/passwd', 'secrets/../lock', 'files/blobs/a/b/c', 'other']) {
    const path = await writeBackup(aDescription(), [{ name, bytes: Buffer.from('x') }])
    await expect(verified(path), name).rejects.toThrow('does not belong into a backup')
  }
})

test('a backup of a newer format is refused with the version that wrote it', async () => {
  const path = await writeBackup({ ...aDescription(), format: FORMAT + 1, plantroom: '9.0.0' }, [])
  await expect(openBackup(path)).rejects.toThrow(`${path} was made by Plantroom 9.0.0, which writes a newer format`)
})
