import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newAuditKey } from '@plantroom/base/audit-key'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { openActivity } from './index.ts'
import { ANNA, openTestDatabase } from './testing/logs.ts'

async function open(databaseUrl: string, folder: string, configuredKey?: string) {
  const db = openTestDatabase(databaseUrl)
  const warnings: unknown[] = []
  const log = createLog('test', 'silent')
  log.warn = (...args: unknown[]) => void warnings.push(args.at(-1))
  const activity = await openActivity({ db, folder, configuredKey, clock: systemClock, log })
  await activity.change({ actor: ANNA }, async (_tx, note) => note({ organizationId: 'org_a', action: 'signed-in' }))
  const keys = await db.selectFrom('activity').select('key').orderBy('seq').execute()
  return { warnings, keys: keys.map(({ key }) => key) }
}

describe('the key of the activity log', () => {
  test('is made at the first start, readable only by its owner, and used by every later one', async () => {
    const [databaseUrl, folder] = [await createTestDatabase(), temporaryFolder()]
    await open(databaseUrl, folder)
    const { keys, warnings } = await open(databaseUrl, folder)
    expect([new Set(keys).size, warnings]).toEqual([1, []])
    expect(statSync(join(folder, 'activity-key')).mode & 0o777).toBe(0o600)
    // The same key from a setting, on a machine with a folder of its own.
    const text = readFileSync(join(folder, 'activity-key'), 'utf8').trim()
    expect(new Set((await open(databaseUrl, temporaryFolder(), text)).keys).size).toBe(1)
  })

  test('that differs from the one before is reported', async () => {
    const databaseUrl = await createTestDatabase()
    await open(databaseUrl, temporaryFolder())
    const { warnings } = await open(databaseUrl, temporaryFolder(), newAuditKey())
    expect(warnings).toEqual([expect.stringContaining('signed with another key before')])
  })

  test('that is damaged prevents the start, with a remedy', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'activity-key'), 'damaged')
    const opening = open(await createTestDatabase(), folder)
    await expect(opening).rejects.toThrow(/activity-key is not the key of the activity log: restore it/)
  })
})
