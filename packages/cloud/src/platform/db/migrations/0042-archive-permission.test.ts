import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createPlainDatabase } from '../../../testing/database.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'

test('keys that read controllers read the archive, and no key can get the former permission', async () => {
  const db = openDatabase({ connectionString: await createPlainDatabase() }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  await migrate(db, '0040-device-replacement')
  const key = (id: string, permissions: string) =>
    `('${id}', 'org', '${id}', decode(repeat('00', 32), 'hex'), '${permissions}', true)`
  await sql
    .raw(`
    INSERT INTO organization (id, name) VALUES ('org', 'Organization');
    INSERT INTO api_key (id, organization_id, name, secret_hash, permissions, all_sites) VALUES
      ${key('both', '{edge-device:read,edge-device:read_write}')}, ${key('controls', '{edge-device:read_write}')},
      ${key('mixed', '{ticket:read,edge-device:read}')}, ${key('reads', '{edge-device:read}')}`)
    .execute(db)
  await migrate(db)
  const keys = await db.selectFrom('api_key').select(['id', 'permissions']).orderBy('id').execute()
  expect(keys).toEqual([
    { id: 'both', permissions: ['measurement:read', 'edge-device:read_write'] },
    { id: 'controls', permissions: ['edge-device:read_write'] },
    { id: 'mixed', permissions: ['ticket:read', 'measurement:read'] },
    { id: 'reads', permissions: ['measurement:read'] },
  ])
  await expect(sql`UPDATE api_key SET permissions = ARRAY['edge-device:read']`.execute(db)).rejects.toThrow(
    'api_key_permissions_check',
  )
})
