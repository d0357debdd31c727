import { ALERT_KINDS, DEFAULT_ALERT_RULES } from '@plantroom/contract/alerts'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { openTestDatabase } from '../../organization/activity/testing/logs.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'
import { createAlertStore } from './alert-store.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let [own, foreign]: Tenant[] = []

beforeAll(async () => {
  cloud = await startTestCloud()
  own = await addTenant(cloud, 'Own')
  foreign = await addTenant(cloud, 'Foreign')
})
afterAll(() => cloud.stop())

const path = (tenant: Tenant | undefined, rest = '') => `/api/orgs/${tenant?.orgId}/alerts${rest}`

async function openAlerts(tenant: Tenant | undefined, siteId = tenant?.siteId ?? '') {
  const db = openTestDatabase(cloud.config.databaseUrl ?? '')
  const { orgId: organizationId = '', deviceId = '' } = tenant ?? {}
  const about = { organizationId, siteId, deviceId, deviceName: 'Device', details: {}, since: Date.now() }
  const conditions = ALERT_KINDS.slice(0, 4).map((kind) => ({
    ...{ ...about, kind, subject: { kind: 'device', id: `${kind}-${siteId}`, name: 'Device' } as const },
  }))
  await createAlertStore(db).open(conditions, new Date())
}

describe('alerts', () => {
  test('are listed by pages, newest first, filtered, and never those of another organization', async () => {
    await openAlerts(own)
    await openAlerts(foreign)
    const first = await asOperator(cloud, 'GET', path(own, '?limit=3'))
    const last = await asOperator(cloud, 'GET', path(own, `?limit=3&cursor=${first.body.nextCursor}`))
    const listed = [first, last].flatMap(({ body }) => body.alerts as { kind: string; siteId: string }[])
    expect(listed.map(({ kind }) => kind)).toEqual(ALERT_KINDS.slice(0, 4).toReversed())
    expect(listed.every(({ siteId }) => siteId === own?.siteId)).toBe(true)
    const count = async (query: string) =>
      ((await asOperator(cloud, 'GET', path(own, query))).body.alerts as unknown[]).length
    expect(await count('?kind=not-restored')).toBe(1)
    expect(await count('?open=true')).toBe(4)
    expect(await count('?open=false')).toBe(0)
    expect(await count(`?deviceId=${foreign?.deviceId}`)).toBe(0)
    expect(await count(`?siteId=${foreign?.siteId}`)).toBe(0)
    expect((await asOperator(cloud, 'GET', path(own, '?kind=nonsense'))).status).toBe(400)
    const { body } = await call(cloud, 'GET', '/metrics')
    expect(body.text).toContain('plantroom_alerts_open{kind="not-restored"} 2\n')
    expect(body.text).toContain('plantroom_alerts_open{kind="telemetry-gap"} 0\n')
    expect(body.text).toMatch(/^plantroom_disk_free_bytes [1-9]/m)
    expect(body.text).toMatch(/^plantroom_devices 2$/m)
  })

  test('are shown to a person for their sites only', async () => {
    const site = await asOperator(cloud, 'POST', `/api/orgs/${own?.orgId}/sites`, { name: 'Other' })
    await openAlerts(own, String(site.body.id))
    const roles = { sites: [{ siteId: String(site.body.id), role: 'viewer' as const }] }
    const { headers } = await addPerson(cloud, own?.orgId ?? '', 'viewer@example.com', roles)
    const seen = await call(cloud, 'GET', path(own), { headers })
    const sites = (seen.body.alerts as { siteId: string }[]).map(({ siteId }) => siteId)
    expect(new Set(sites)).toEqual(new Set([site.body.id]))
    const asked = await call(cloud, 'GET', path(own, `?siteId=${own?.siteId}`), { headers })
    expect(asked.body.alerts).toEqual([])
    expect((await call(cloud, 'GET', path(own, '/rules'), { headers })).status).toBe(403)
  })

  test('have rules that apply without set-up, and that an administrator changes', async () => {
    expect((await asOperator(cloud, 'GET', path(own, '/rules'))).body).toEqual(DEFAULT_ALERT_RULES)
    const off = { enabled: false, openAfterSeconds: 30, closeAfterSeconds: 0 }
    const changed = {
      rules: { ...DEFAULT_ALERT_RULES.rules, 'clock-wrong': off },
      recipients: [{ email: 'duty@example.com', siteIds: [own?.siteId] }],
    }
    expect((await asOperator(cloud, 'PUT', path(own, '/rules'), changed)).body).toEqual(changed)
    expect((await asOperator(cloud, 'GET', path(own, '/rules'))).body).toEqual(changed)
    expect((await asOperator(cloud, 'GET', path(foreign, '/rules'))).body).toEqual(DEFAULT_ALERT_RULES)
  })

  test.each([
    [{ recipients: [{ email: 'no address', siteIds: null }] }],
    [{ recipients: [{ email: 'a@example.com\r\nBcc: b@example.com', siteIds: null }] }],
    [{ recipients: Array.from({ length: 21 }, (_, index) => ({ email: `a${index}@example.com`, siteIds: null })) }],
    [{ rules: {} }],
  ])('refuse rules such as %j', async (changes) => {
    const body = { ...DEFAULT_ALERT_RULES, ...changes }
    expect((await asOperator(cloud, 'PUT', path(own, '/rules'), body)).status).toBe(400)
  })

  test('refuse recipients for a site of another organization', async () => {
    const body = { ...DEFAULT_ALERT_RULES, recipients: [{ email: 'a@example.com', siteIds: [foreign?.siteId] }] }
    const refused = await asOperator(cloud, 'PUT', path(own, '/rules'), body)
    expect([refused.status, refused.body.field, refused.body.message]).toEqual([
      400,
      'recipients',
      'recipients names a site that this organization does not have',
    ])
  })
})

test('a device reports its own health only', async () => {
  if (!own || !foreign) throw new Error('no tenants')
  const db = openTestDatabase(cloud.config.databaseUrl ?? '')
  const device = await connectDevice(cloud.ready.mqttUrl, own)
  device.client.publish(topics.health(own.deviceId), JSON.stringify({ droppedMeasurements: 3, droppedSeconds: 1 }))
  await eventually(async () => {
    expect(await db.selectFrom('device_health').select(['device_id', 'has_trouble']).execute()).toEqual([
      { device_id: own?.deviceId, has_trouble: true },
    ])
  })
  device.client.publish(topics.health(foreign.deviceId), JSON.stringify({ droppedMeasurements: 3, droppedSeconds: 1 }))
  await eventually(() => expect(device.client.connected).toBe(false))
  expect((await db.selectFrom('device_health').select('device_id').execute()).length).toBe(1)
})
