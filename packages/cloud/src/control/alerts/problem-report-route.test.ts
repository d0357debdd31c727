import { createLog } from '@plantroom/base/log'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let other: Tenant

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Ours')
  other = await addTenant(cloud, 'Theirs')
})
afterAll(() => cloud?.stop())

const path = ({ orgId, siteId } = tenant) => `/api/orgs/${orgId}/sites/${siteId}/problem-report`

test('a report has the versions and the controllers of the site, and nothing of others', async () => {
  const { status, body } = await asOperator(cloud, 'GET', path())
  expect(status).toBe(200)
  expect(body).toMatchObject({
    service: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), runtime: expect.stringMatching(/^Node /) },
    site: { id: tenant.siteId, organizationId: tenant.orgId, timeZone: 'UTC' },
    controllers: [{ id: tenant.deviceId, name: 'Device', version: null, online: false, since: null, health: null }],
    controllersLeftOut: 0,
    alerts: [],
  })
  expect(JSON.stringify(body)).not.toContain(other.deviceId)
  expect(JSON.stringify(body)).not.toContain(tenant.deviceSecret)
})

test('only administrators get lines of the log', async () => {
  const viewer = await addPerson(cloud, tenant.orgId, 'viewer@example.com', {
    sites: [{ siteId: tenant.siteId, role: 'viewer' }],
  })
  const admin = await addPerson(cloud, tenant.orgId, 'admin@example.com', { role: 'admin' })
  expect((await call(cloud, 'GET', path(), { headers: viewer.headers })).body.log).toBeNull()
  expect((await call(cloud, 'GET', path(), { headers: admin.headers })).body.log).toEqual([])
  expect((await call(cloud, 'GET', path(other), { headers: admin.headers })).status).toBe(403)
  const mixed = path({ ...tenant, siteId: other.siteId })
  expect((await call(cloud, 'GET', mixed, { headers: admin.headers })).status).toBe(403)
  expect((await asOperator(cloud, 'GET', mixed)).status).not.toBe(200)
})

test('what controllers say is shown without secrets', async () => {
  const db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  const trouble = {
    id: 'con_1',
    name: 'Boiler of mari@example.ee',
    seconds: 3,
    reason: 'mqtt://plant:hunter2@host refused',
  }
  const health = {
    ...{ version: '9.9.9', connections: [trouble], notTaken: [], notRestored: [], clockOffsetMs: 0, freeBytes: 1 },
    ...{ clockWrongSeconds: null, diskLowSeconds: null, droppedMeasurements: 0, droppedSeconds: null },
  }
  await db
    .insertInto('device_health')
    .values({
      device_id: tenant.deviceId,
      received_at: new Date(0),
      document: JSON.stringify(health),
      has_trouble: true,
    })
    .execute()
  const { body } = await asOperator(cloud, 'GET', path())
  expect(body.controllers).toMatchObject([{ version: '9.9.9', health: { connections: [{ id: 'con_1', seconds: 3 }] } }])
  expect(JSON.stringify(body)).not.toMatch(/mari|hunter2/)
})
