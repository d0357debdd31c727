import { hash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { type CloudConfig, readConfig } from '../../config.ts'
import { createPlainDatabase, createTestDatabase } from '../../testing/database.ts'
import { backUp, checkBackup, restore } from '../../wire/backup.ts'
import { blobKey, exportKey, type FileKey, openFiles, pathOf } from '../files/index.ts'
import { startS3 } from '../files/testing/s3-server.ts'

const ATTACHMENT = blobKey('site_1', hash('sha256', 'attachment', 'buffer'))
const EXPORT = exportKey('site_1', 'job_1')

async function bucketWith(contents: Readonly<Record<FileKey, string>>) {
  const server = await startS3(temporaryFolder())
  onTestFinished(() => server.close())
  const parts = new AsyncDisposableStack()
  onTestFinished(() => parts.disposeAsync())
  const deps = { parts, clock: systemClock, baseUrl: () => '' }
  const { store } = await openFiles({ folder: temporaryFolder(), s3: server.settings }, deps)
  const path = join(temporaryFolder(), 'file')
  for (const [key, text] of Object.entries(contents)) {
    writeFileSync(path, text)
    await store.put(key as FileKey, path)
  }
  return { store, s3: server.settings }
}

async function written(config: CloudConfig, withBucket: boolean): Promise<string> {
  const chunks: Buffer[] = []
  await backUp(config, { withBucket, write: async (bytes) => void chunks.push(Buffer.from(bytes)) })
  const path = join(temporaryFolder(), 'made.backup')
  writeFileSync(path, Buffer.concat(chunks))
  return path
}

test.skipIf(!isCampaign)(
  'files of a bucket are listed or copied, and move to a disk and to another bucket',
  { timeout: 120_000 },
  async () => {
    await repeat(1, async () => {
      const source = await bucketWith({ [ATTACHMENT]: 'attachment', [EXPORT]: 'export' })
      const machine = (s3: CloudConfig['s3'], databaseUrl: string) => ({
        ...readConfig({}),
        folder: temporaryFolder(),
        databaseUrl,
        s3,
      })
      const old = machine(source.s3, await createTestDatabase())

      const listed = await written(old, false)
      expect(await checkBackup(listed)).toMatchObject({
        description: { files: 'bucket' },
        manifest: { files: 2, fileBytes: 16 },
      })
      expect(
        (await restore(machine(source.s3, await createPlainDatabase()), listed, { replace: false })).missing,
      ).toEqual([])
      const empty = await bucketWith({})
      const without = await restore(machine(empty.s3, await createPlainDatabase()), listed, { replace: false })
      expect(without.missing).toEqual([ATTACHMENT])

      const copied = await written(old, true)
      const disk = machine(undefined, await createPlainDatabase())
      await restore(disk, copied, { replace: false })
      expect(readFileSync(pathOf(join(disk.folder, 'files'), ATTACHMENT), 'utf8')).toBe('attachment')
      expect(existsSync(pathOf(join(disk.folder, 'files'), EXPORT))).toBe(true)
      await restore(machine(empty.s3, await createPlainDatabase()), await written(disk, false), { replace: false })
      expect((await empty.store.stat(ATTACHMENT))?.size).toBe(10)
    })
  },
)
