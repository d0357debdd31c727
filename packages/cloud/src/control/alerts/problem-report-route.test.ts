import { createLog } from '@plantroom/base/log'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { createAlertStore } from './alert-store.ts'

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
  const trouble = (id: string, reason: string | null) => ({ id, name: 'Boiler of mari@example.ee', seconds: 3, reason })
  const troubles = {
    connections: [trouble('con_1', 'mqtt://plant:hunter2@host refused')],
    notTaken: [trouble('dp_1', null)],
    notRestored: [trouble('dp_2', 'mqtt://plant:hunter2@host refused')],
  }
  const health = {
    ...{ version: '9.9.9', ...troubles, clockOffsetMs: 0, freeBytes: 1 },
    ...{ clockWrongSeconds: null, diskLowSeconds: null, droppedMeasurements: 0, droppedSeconds: null },
  }
  const state = { connections: [{ connectionId: 'con_1', status: 'OFFLINE', reason: 'hunter2' }] }
  const own = { device_id: tenant.deviceId }
  await db
    .insertInto('device_health')
    .values({ ...own, received_at: new Date(0), document: JSON.stringify(health), has_trouble: true })
    .execute()
  await db
    .insertInto('device_state')
    .values({ ...own, received_at: new Date(1_000), document: JSON.stringify(state), held: 2, troubled: 1 })
    .execute()
  await db
    .insertInto('device_presence')
    .values({ ...own, online: true, since: new Date(2_000) })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet({ online: true, since: new Date(2_000) }))
    .execute()
  const { body } = await asOperator(cloud, 'GET', path())
  const shown = (id: string) => [{ id, seconds: 3 }]
  expect(body.controllers).toMatchObject([
    {
      ...{ version: '9.9.9', online: true, since: '1970-01-01T00:00:02.000Z' },
      health: { connections: shown('con_1'), notTaken: shown('dp_1'), notRestored: shown('dp_2'), freeBytes: 1 },
      state: { held: 2, troubled: 1, connections: [{ id: 'con_1', status: 'OFFLINE' }] },
    },
  ])
  const [{ health: said, state: stated }] = body.controllers as [Record<'health' | 'state', { receivedAt: string }>]
  expect([said.receivedAt, stated.receivedAt]).toEqual(['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:01.000Z'])
  expect(JSON.stringify(body)).not.toMatch(/mari|hunter2/)
})

test('the last 50 alerts of the site are shown, newest first', async () => {
  const db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  const { orgId: organizationId, siteId } = tenant
  const about = { organizationId, siteId, deviceId: null, deviceName: null, details: {}, since: 0 }
  const store = createAlertStore(db)
  const elsewhere = { organizationId: other.orgId, siteId: other.siteId }
  const foreign = { ...about, ...elsewhere, subject: { kind: 'job', id: 'job_of_others', name: 'x.fpl' } } as const
  await store.open([{ ...foreign, kind: 'import-failed' }], new Date(51 * 60_000))
  for (let minute = 0; minute <= 50; minute += 1) {
    const subject = { kind: 'job', id: `job_${minute}`, name: 'x.fpl' } as const
    await store.open([{ ...about, kind: 'import-failed', subject }], new Date(minute * 60_000))
  }
  const { body } = await asOperator(cloud, 'GET', path())
  const alerts = body.alerts as { subjectId: string; openedAt: string; closedAt: string | null }[]
  expect(alerts.map(({ subjectId }) => subjectId)).toEqual(
    Array.from({ length: 50 }, (_, index) => `job_${50 - index}`),
  )
  const newest = { kind: 'import-failed', deviceId: null, openedAt: '1970-01-01T00:50:00.000Z', closedAt: null }
  expect(alerts[0]).toMatchObject(newest)
})

test('controllers that were added at the same time always come in the same order', async () => {
  const db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  const { orgId: organization_id, siteId: site_id } = tenant
  const row = { organization_id, site_id, secret_hash: Buffer.alloc(32), created_at: new Date(0) }
  for (const id of ['dev_c', 'dev_a', 'dev_b']) {
    await db
      .insertInto('device')
      .values({ ...row, id, name: id })
      .execute()
  }
  const { body } = await asOperator(cloud, 'GET', path())
  const ids = (body.controllers as { id: string }[]).map(({ id }) => id)
  expect(ids).toEqual(['dev_a', 'dev_b', 'dev_c', tenant.deviceId])
})
