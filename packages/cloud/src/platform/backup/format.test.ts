import { execFileSync } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { randomOf } from '@plantroom/testkit/random'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { FORMAT, NAMES, readDescription, readManifest } from './format.ts'
import { openBackup } from './reader.ts'
import { FIXTURE } from './testing/fixture.ts'
import { aDescription, sha256, writeBackup } from './testing/write-backup.ts'
import { meaningOf, verifyBackup } from './verify.ts'
import { createBackupWriter } from './writer.ts'

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
  const lists = readFileSync(path, 'latin1').match(/digests\/\d{6}/g)
  expect(lists).toEqual(['digests/000001', 'digests/000002', 'digests/000003'])
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

test.each([
  'no JSON',
  'null',
  '{"format":1.5,"tables":[],"migrations":[]}',
  '{"format":1,"migrations":[]}',
  '{"format":1,"tables":[]}',
])('a description such as %s is damaged', (text) => {
  expect(() => readDescription('a.backup', text)).toThrow(
    expect.objectContaining({
      kind: 'unavailable',
      message: expect.stringMatching(/^a\.backup is damaged \(.+\): use/),
    }),
  )
})

test.each(['[]', '{"format":1,"rows":{}}', '{"format":1,"rows":1,"digest":"x"}', '{"format":1,"digest":"x"}'])(
  'a last entry such as %s is damaged',
  (text) => {
    expect(() => readManifest('a.backup', text)).toThrow(/damaged \((an entry is not|its last entry is incomplete)/)
  },
)

test('names say what an entry is', () => {
  const meanings = ['backup.json', 'database/sequences.json', 'secrets/admin-token', 'database/site/000001.copy.zst']
  expect(meanings.map((name) => meaningOf('a.backup', { name }))).toEqual([
    undefined,
    { kind: 'sequences' },
    { kind: 'secret', name: 'admin-token' },
    { kind: 'table', name: 'site' },
  ])
  expect(meaningOf('a.backup', { name: 'bucket/000001.jsonl' })).toEqual({ kind: 'objects' })
  const key = 'exports/site_1/job_1'
  expect(meaningOf('a.backup', { name: `files/${key}` })).toEqual({ kind: 'file', key })
})

test.each([
  'secrets/other',
  'secrets/admin-token/x',
  'database/site',
  'database/site/a/b',
  'secrets',
  'x/exports/site_1/job_1',
])('%s does not belong into a backup', (name) => {
  expect(() => meaningOf('a.backup', { name })).toThrow(`${name} does not belong into a backup`)
})

test('a backup with another number of rows or files than it says is damaged', async () => {
  const part = (rows: string) => ({ name: 'database/site/000001.copy.zst', bytes: zstdCompressSync(rows) })
  const description = { ...aDescription(), tables: [{ name: 'site', columns: ['id'] }] }
  const two = [part('a\nb\n')]
  expect((await verified(await writeBackup(description, two, { rows: { site: 2 } }))).manifest.rows).toEqual({
    site: 2,
  })
  // A row may be nothing but one empty text.
  const empty = await writeBackup(description, [part('\n\n')], { rows: { site: 2 } })
  expect((await verified(empty)).manifest.rows).toEqual({ site: 2 })
  for (const rows of [{ site: 1 }, { site: 2, job: 1 }, {}]) {
    const path = await writeBackup(description, two, { rows })
    await expect(verified(path), JSON.stringify(rows)).rejects.toThrow(
      /the table (site|job) has another number of rows/,
    )
  }
  const file = { name: 'files/exports/site_1/job_1', bytes: Buffer.from('x') }
  await expect(verified(await writeBackup(aDescription(), [file], { files: 2 }))).rejects.toThrow(
    'it has another number of files',
  )
  const listed = { ...aDescription(), files: 'bucket' as const }
  expect((await verified(await writeBackup(listed, [], { files: 2 }))).manifest.files).toBe(2)
  const broken = await writeBackup(description, [{ ...part(''), bytes: Buffer.from('no zstd') }], { rows: { site: 0 } })
  await expect(verified(broken)).rejects.toThrow('database/site/000001.copy.zst cannot be decompressed')
})

test('a file that is no backup, or not there, is refused', async () => {
  const path = join(temporaryFolder(), 'other')
  for (const bytes of ['', 'text', 'x'.repeat(2000)]) {
    writeFileSync(path, bytes)
    await expect(openBackup(path), bytes.slice(0, 5)).rejects.toThrow(
      expect.objectContaining({ kind: 'unavailable', message: `${path} is not a backup of Plantroom` }),
    )
  }
  await expect(openBackup('/nowhere')).rejects.toThrow('/nowhere cannot be read (ENOENT)')
})

test('what is written is one file after another, with lists that sha256sum checks', async () => {
  const chunks: Buffer[] = []
  const writer = createBackupWriter(async (bytes) => void chunks.push(Buffer.from(bytes)), 0)
  const [small, large] = [join(temporaryFolder(), 'small'), join(temporaryFolder(), 'large')]
  const contents = [Buffer.from('small'), Buffer.alloc(2_500_000, 'large')] as const
  writeFileSync(small, contents[0])
  writeFileSync(large, contents[1])
  await writer.add('backup.json', Buffer.from('{}'))
  for (const [index, path] of [small, large, small].entries()) {
    const bytes = contents[index % 2] as Buffer
    expect(await writer.addFile(`files/${index}`, path)).toEqual({ size: bytes.length, sha256: sha256(bytes) })
  }
  const { bytes, manifest } = await writer.finish({ rows: {}, files: 3, fileBytes: 2_500_010 })
  const whole = Buffer.concat(chunks)
  expect([whole.length, whole.length % 512]).toEqual([bytes, 0])
  expect(chunks.every(({ length }) => length <= 1024 * 1024)).toBe(true)
  expect(manifest).toMatchObject({ format: 1, files: 3, fileBytes: 2_500_010 })
  const folder = temporaryFolder()
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: whole })
  expect(execFileSync('sha256sum', ['-c', 'digests/000001'], { cwd: folder, encoding: 'utf8' }).split('\n')).toEqual([
    'backup.json: OK',
    'files/0: OK',
    'files/1: OK',
    'files/2: OK',
    '',
  ])
  expect(manifest.digest).toBe(sha256(readFileSync(join(folder, 'digests/000001'))))
})

test('a backup that cannot be written fails with the reason', async () => {
  const writer = createBackupWriter(() => Promise.reject(new Error('no space left')), 0)
  const writing = async () => {
    await writer.add('files/a', Buffer.alloc(5_000_000))
    await writer.finish({ rows: {}, files: 0, fileBytes: 0 })
  }
  await expect(writing()).rejects.toThrow('no space left')
})
