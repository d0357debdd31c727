import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '@plantroom/base/log'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { startTestCloud } from '../../testing/cloud.ts'
import { createPlainDatabase } from '../../testing/database.ts'
import { restore } from '../../wire/backup.ts'
import { openDatabase } from '../db/database.ts'
import { FIXTURE } from './testing/fixture.ts'
import { stepDatabase } from './testing/stepped-database.ts'

test('a restore that is interrupted at its commit keeps the service from starting until it was repeated', async () => {
  const databaseUrl = await createPlainDatabase()
  const machine = { ...readConfig({}), folder: temporaryFolder(), databaseUrl }
  const isRefused = () =>
    expect(startTestCloud({ ...machine })).rejects.toThrow('run plantroom restore with the same backup again')

  const fresh = join(machine.folder, 'files', 'restoring')
  const modes: number[] = []
  const before = { commit: () => void modes.push(statSync(fresh).mode & 0o777) }
  const cut = await stepDatabase(databaseUrl, { before, loseAnswerTo: 'commit' })
  await expect(restore({ ...machine, databaseUrl: cut }, FIXTURE.path, { replace: false })).rejects.toThrow()
  const db = openDatabase({ connectionString: databaseUrl }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  // The database has the new data, the data folder has neither files nor secrets.
  expect(await db.selectFrom('organization').select('id').execute()).toHaveLength(2)
  await db.destroy()
  // Only the service could read the files that it restored.
  expect([modes.at(-1), existsSync(fresh)]).toEqual([0o700, false])
  const token = join(machine.folder, 'admin-token')
  expect(existsSync(token)).toBe(false)
  await isRefused()

  const nowhere = { ...machine, databaseUrl: 'postgres://localhost:1/none' }
  await expect(restore(nowhere, FIXTURE.path, { replace: false })).rejects.toThrow('cannot be reached')
  await isRefused()

  // The same command again, although the database has data by now.
  expect((await restore(machine, FIXTURE.path, { replace: false })).missing).toEqual([])
  expect(readFileSync(token, 'utf8').trim()).toBe(FIXTURE.adminToken)
  expect(existsSync(join(machine.folder, 'restoring'))).toBe(false)
})
