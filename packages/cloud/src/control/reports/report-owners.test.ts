import type { ReportEntry } from '@plantroom/contract/reports'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import {
  addTenant,
  asOperator,
  call,
  commandPath,
  createKey,
  startTestCloud,
  type Tenant,
} from '../../testing/cloud.ts'
import { connectDevice, type TestDevice } from '../../testing/device.ts'
import { entryOf } from './testing/entries.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let device: TestDevice
let keys: { id: string; apiKey: string }[]
let placed = 0

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  device = await connectDevice(cloud.ready.mqttUrl, tenant, () => {
    placed += 1
    return { status: 'ok', payload: JSON.stringify({ id: `ovr_${placed}` }) }
  })
  await eventually(async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/devices`)
    expect(body.devices).toMatchObject([{ online: true }])
  })
  keys = [await newKey(), await newKey()]
  // Each key places one override, and the device reports both. `ovr_9` was placed before owners were stored.
  for (const { apiKey } of keys) expect(await override(tenant, { 'x-api-key': apiKey })).toBe(200)
  const about = (seq: number, overrideId: string | null, changes: Partial<ReportEntry> = {}) =>
    entryOf(tenant.deviceId, seq, { overrideId, reqId: `req_of_${overrideId}`, ...changes })
  const cancelled = { phase: 'released', reason: 'cancelled' } as const
  await report([
    about(1, 'ovr_1', { placedBy: { id: keys[0]?.id ?? '', name: 'Key one', reason: 'peak\0price' } }),
    about(2, 'ovr_2', {
      placedBy: { id: keys[1]?.id ?? '', name: 'Key two', reason: 'secret plan' },
      cancelledBy: MARI,
      ...cancelled,
    }),
    about(3, 'ovr_9'),
    about(4, null, { reqId: null, code: 4000 }),
  ])
})
afterAll(async () => {
  await device?.close()
  await cloud?.stop()
})

const MARI = { id: 'user:usr_mari', name: 'mari@example.ee', reason: 'too cold' }
const keyHeaders = (index: number) => ({ 'x-api-key': keys[index]?.apiKey ?? '' })
const newKey = () => createKey(cloud, tenant.orgId, ['edge-device:read_write'])

async function override({ orgId, deviceId }: Tenant, headers: Record<string, string>): Promise<number> {
  const data = { datapointId: 'dp', value: 1, from: '2030-01-01T00:00:00Z', to: '2030-01-01T01:00:00Z' }
  const path = commandPath(orgId, deviceId, 'demandResponseOverride')
  return (await call(cloud, 'POST', path, { headers, body: { data } })).status
}

async function report(entries: readonly ReportEntry[]): Promise<void> {
  const confirmed: string[] = []
  device.client.on('message', (topic) => void confirmed.push(topic))
  await device.client.publishAsync(topics.reports(tenant.deviceId), JSON.stringify({ entries }), { qos: 1 })
  const last = entries.at(-1)?.seq ?? 0
  await eventually(() => expect(confirmed).toContain(topics.confirm(tenant.deviceId, 'reports', last)))
}

async function seenWith(headers: Record<string, string>) {
  const { status, body } = await call(cloud, 'GET', `/api/orgs/${tenant.orgId}/reports`, { headers })
  expect(status).toBe(200)
  const { reports } = body as unknown as { reports: ReportEntry[] }
  return reports.toReversed().map(({ overrideId, reqId }) => [overrideId, reqId])
}

async function callersSeenWith(headers: Record<string, string>) {
  const { body } = await call(cloud, 'GET', `/api/orgs/${tenant.orgId}/reports`, { headers })
  const { reports } = body as unknown as { reports: ReportEntry[] }
  return reports.toReversed().map(({ placedBy, cancelledBy }) => [placedBy, cancelledBy])
}

async function csvWith(headers: Record<string, string>): Promise<string> {
  const { body } = await call(cloud, 'GET', `/api/orgs/${tenant.orgId}/reports?format=csv`, { headers })
  return String(body.text)
}

const of = (id: string) => [id, `req_of_${id}`]
const NONE = [null, null]
const person = async (role: 'viewer' | 'manager', siteId = tenant.siteId, name: string = role) =>
  (await addPerson(cloud, tenant.orgId, `${name}@${siteId}.example`, { sites: [{ siteId, role }] })).headers

describe('who placed and who cancelled', () => {
  test('is shown to managers of the site and the operator', async () => {
    const manager = await person('manager')
    for (const headers of [{ authorization: `Bearer ${cloud.ready.adminToken}` }, manager]) {
      expect(await callersSeenWith(headers)).toEqual([
        [{ id: keys[0]?.id, name: 'Key one', reason: 'peak\ufffdprice' }, null],
        [{ id: keys[1]?.id, name: 'Key two', reason: 'secret plan' }, MARI],
        NONE,
        NONE,
      ])
      expect(await csvWith(headers)).toContain('mari@example.ee,too cold')
    }
  })

  test('is shown to a key for its own overrides, except who else cancelled them', async () => {
    const own = { id: keys[1]?.id, name: 'Key two', reason: 'secret plan' }
    const because = { id: null, name: null, reason: 'too cold' }
    expect(await callersSeenWith(keyHeaders(1))).toEqual([NONE, [own, because], NONE, NONE])
    expect(await csvWith(keyHeaders(1))).not.toMatch(/Key one|mari/)
    expect(await csvWith(keyHeaders(0))).not.toMatch(/Key two|mari|too cold|secret plan/)
  })

  test('is hidden from a viewer', async () => {
    const { headers } = await addPerson(cloud, tenant.orgId, 'only@example.com', {
      sites: [{ siteId: tenant.siteId, role: 'viewer' }],
    })
    expect(await callersSeenWith(headers)).toEqual([NONE, NONE, NONE, NONE])
    expect(await csvWith(headers)).not.toMatch(/Key one|Key two|mari|too cold|secret plan/)
  })
})

describe('the ids in audit entries', () => {
  test('are shown to the key that placed the override, and to no other', async () => {
    const [one, other] = [keyHeaders(0), keyHeaders(1)]
    await eventually(async () => expect(await seenWith(one)).toEqual([of('ovr_1'), NONE, NONE, NONE]))
    await eventually(async () => expect(await seenWith(other)).toEqual([NONE, of('ovr_2'), NONE, NONE]))
    const csv = await csvWith(one)
    expect(csv).toContain('req_of_ovr_1')
    expect(csv).not.toMatch(/ovr_2|ovr_9/)
  })

  test('are shown to managers of the site and the operator', async () => {
    const all = [of('ovr_1'), of('ovr_2'), of('ovr_9'), NONE]
    expect(await seenWith({ authorization: `Bearer ${cloud.ready.adminToken}` })).toEqual(all)
    const headers = await person('manager', tenant.siteId, 'second')
    expect(await seenWith(headers)).toEqual(all)
    expect(await csvWith(headers)).toMatch(/ovr_9.*ovr_2.*ovr_1/s)
  })

  test('are hidden from a viewer, even one who manages another site', async () => {
    const annex = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, { name: 'Annex' })
    const viewer = await person('viewer')
    const both = await addPerson(cloud, tenant.orgId, 'both@example.com', {
      sites: [
        { siteId: tenant.siteId, role: 'viewer' },
        { siteId: String(annex.body.id), role: 'manager' },
      ],
    })
    for (const headers of [viewer, both.headers]) {
      expect(await seenWith(headers)).toEqual([NONE, NONE, NONE, NONE])
      expect(await csvWith(headers)).not.toContain('ovr_')
    }
  })

  test('stay with the key after its rotation', async () => {
    const [one] = keys as [{ id: string; apiKey: string }]
    const path = `/api/orgs/${tenant.orgId}/api-keys/${one.id}/rotate`
    const { body } = await asOperator(cloud, 'POST', path, { overlapSeconds: 0 })
    expect((await seenWith({ 'x-api-key': String(body.apiKey) }))[0]).toEqual(of('ovr_1'))
  })

  test('are not claimed by a device of another organization that names the same override', async () => {
    const theirs = await addTenant(cloud, 'Theirs')
    const hostile = await connectDevice(cloud.ready.mqttUrl, theirs, () => ({
      status: 'ok',
      payload: '{"id":"ovr_9"}',
    }))
    const theirKey = await createKey(cloud, theirs.orgId, ['edge-device:read_write'])
    await eventually(async () => expect(await override(theirs, { 'x-api-key': theirKey.apiKey })).toBe(200))
    await hostile.close()
    expect((await seenWith(keyHeaders(1)))[2]).toEqual(NONE)
  })
})
