import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createKeyStore } from '../../../organization/access/keys/key-store.ts'
import { openDatabase } from '../database.ts'
import { sql as organizations } from './0001-organizations.ts'
import { sql as siteTimeZone } from './0002-site-time-zone.ts'
import { sql as reports } from './0003-reports.ts'
import { sql as keyLife } from './0008-key-life.ts'

/** Opens a database of the version before, with a key that works and one that is revoked. */
async function openEarlierDatabase() {
  const { host, port, user } = inject('postgres')
  const database = newId('earlier')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  await client.query(`CREATE DATABASE ${database} TEMPLATE template0`)
  await client.end()
  const db = openDatabase({ host, port, user, database }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  for (const text of [organizations, siteTimeZone, reports]) await sql.raw(text).execute(db)
  await sql
    .raw(`
    INSERT INTO organization (id, name) VALUES ('org', 'Organization');
    INSERT INTO api_key (id, organization_id, name, secret_hash, permissions, all_sites, last_used_at, revoked_at) VALUES
      ('works', 'org', 'Works', decode(repeat('00', 32), 'hex'), '{edge-device:read_write}', true, '2026-01-01Z', NULL),
      ('gone', 'org', 'Gone', decode(repeat('00', 32), 'hex'), '{ticket:read}', true, NULL, '2026-01-01Z')`)
    .execute(db)
  return db
}

test('keys of the previous version keep working, without expiry, and can be rotated', async () => {
  const db = await openEarlierDatabase()
  await sql.raw(keyLife).execute(db)
  const keys = createKeyStore(db)
  expect(await keys.loadActive()).toEqual([
    {
      ...{ id: 'works', organizationId: 'org', name: 'Works', hash: Buffer.alloc(32), previous: undefined },
      ...{ expiresAt: undefined, permissions: new Set(['edge-device:read_write']), siteIds: undefined },
    },
  ])
  const now = new Date()
  expect(await keys.list('org', now)).toMatchObject([
    { id: 'gone', state: 'revoked', lastUsedFrom: null },
    { id: 'works', state: 'active', expiresAt: null, lastUsedAt: new Date('2026-01-01Z'), overrides: 0 },
  ])
  const hash = Buffer.alloc(32, 1)
  const until = new Date(now.getTime() + 1000)
  expect(await keys.rotate('org', 'works', { hash, at: now, previousUntil: until, expiresAt: undefined })).toBeDefined()
  expect(await keys.loadActiveOne('works')).toMatchObject({ hash, previous: { hash: Buffer.alloc(32) } })
})

test('keys of the new version may only read devices', async () => {
  const db = await openEarlierDatabase()
  await sql.raw(keyLife).execute(db)
  const key = { id: 'reader', organizationId: 'org', name: 'Reader', hash: Buffer.alloc(32), siteIds: null }
  await createKeyStore(db).add({ ...key, permissions: ['ticket:read'] })
  await sql`UPDATE api_key SET permissions = ARRAY['edge-device:read']`.execute(db)
  await expect(sql`UPDATE api_key SET permissions = ARRAY['everything']`.execute(db)).rejects.toThrow(
    'api_key_permissions_check',
  )
})
