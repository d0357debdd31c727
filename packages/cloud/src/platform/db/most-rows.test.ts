import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTenant, asOperator, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { type Db, openDatabase } from './database.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db
let full: Tenant
let other: Tenant

beforeAll(async () => {
  const databaseUrl = await createTestDatabase()
  cloud = await startTestCloud({ databaseUrl })
  full = await addTenant(cloud, 'Full')
  other = await addTenant(cloud, 'Other')
  db = openDatabase({ connectionString: databaseUrl }, createLog('test', 'silent'))
  // Nobody follows these: announcing tens of thousands of rows would take longer than adding them.
  await db.connection().execute(async (connection) => {
    await sql`SET session_replication_role = replica`.execute(connection)
    await sql`
      INSERT INTO site (id, organization_id, name) SELECT 'site_' || n, ${full.orgId}, 'Site ' || n
      FROM generate_series(1, 9999) AS n`.execute(connection)
    await sql`
      INSERT INTO device (id, organization_id, site_id, name, secret_hash)
      SELECT 'dev_' || n, ${full.orgId}, ${full.siteId}, 'Device ' || n, decode(repeat('00', 32), 'hex')
      FROM generate_series(1, 49999) AS n`.execute(connection)
    await sql`
      INSERT INTO api_key (id, organization_id, name, secret_hash, permissions, all_sites)
      SELECT 'key_' || n, ${full.orgId}, 'Key', decode(repeat('00', 32), 'hex'), '{ticket:read}', true
      FROM generate_series(1, 1000) AS n`.execute(connection)
  })
})
afterAll(async () => {
  await db.destroy()
  await cloud.stop()
})

const add = ({ orgId, siteId }: Tenant, what: string) => {
  const body = {
    sites: { name: 'One more' },
    devices: { name: 'One more', siteId },
    'api-keys': { name: 'One more', permissions: ['ticket:read'] },
  }[what]
  return asOperator(cloud, 'POST', `/api/orgs/${orgId}/${what}`, body)
}

test.each([
  ['sites', 'the organization has 10000 sites, the most it may have: remove one first'],
  ['devices', 'the organization has 50000 devices, the most it may have: remove one first'],
  ['api-keys', 'the organization has 1000 API keys that are not revoked, the most it may have: revoke one first'],
])('an organization with as many %s as it may have gets no more, another one does', async (what, message) => {
  const refused = await add(full, what)
  expect(refused.status).toBe(429)
  expect(refused.body.message).toBe(message)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect((await add(other, what)).status).toBe(201)
})

test('a revoked key makes room for another one', async () => {
  await asOperator(cloud, 'DELETE', `/api/orgs/${full.orgId}/api-keys/key_1`)
  expect((await add(full, 'api-keys')).status).toBe(201)
})
