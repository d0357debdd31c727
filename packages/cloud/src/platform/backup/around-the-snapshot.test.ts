import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { backUp } from '../../wire/backup.ts'
import { exportKey, pathOf } from '../files/index.ts'
import { openBackup } from './reader.ts'
import { stepDatabase } from './testing/stepped-database.ts'

test('packages that come or go around the moment of the snapshot are in the backup', async () => {
  const folder = temporaryFolder()
  const path = (job: string) => pathOf(join(folder, 'files'), exportKey('site_1', job))
  const put = (job: string, text: string) => {
    mkdirSync(dirname(path(job)), { recursive: true })
    writeFileSync(path(job), text)
  }
  for (const job of ['stays', 'goes', 'is-replaced']) put(job, job)
  const databaseUrl = await stepDatabase(await createTestDatabase(), {
    before: {
      // The rows of these are in the snapshot that this begins.
      'BEGIN ISOLATION LEVEL REPEATABLE READ': () => {
        put('comes', 'comes')
        rmSync(path('is-replaced'))
        put('is-replaced', 'replaced')
      },
      // The snapshot has been taken.
      'LOCK TABLE': () => rmSync(path('goes')),
    },
  })
  const chunks: Buffer[] = []
  const write = async (bytes: Uint8Array) => void chunks.push(Buffer.from(bytes))
  const { manifest } = await backUp({ ...readConfig({}), folder, databaseUrl }, { withBucket: false, write })
  const made = join(temporaryFolder(), 'made.backup')
  writeFileSync(made, Buffer.concat(chunks))
  const reader = await openBackup(made)
  const found: Record<string, string> = {}
  for await (const entry of reader.entries()) {
    if (entry.name.startsWith('files/'))
      found[entry.name.slice('files/exports/site_1/'.length)] = (await entry.whole()).toString()
  }
  await reader.close()
  expect(found).toEqual({ stays: 'stays', goes: 'goes', comes: 'comes', 'is-replaced': 'replaced' })
  expect(manifest).toMatchObject({ files: 4, fileBytes: 22 })
  expect(readdirSync(join(folder, 'files', 'unfinished'))).toEqual([])
})
