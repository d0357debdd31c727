import type { MemberRoles } from '@plantroom/contract/roles'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'
import { entriesOf } from './testing/entries.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
let theirs: Tenant

const chained = (deviceId: string, count: number) =>
  entriesOf(deviceId, count).map((entry) => ({ ...entry, value: 0.1, previous: `hash of ${entry.seq - 1}`, note: 'õ' }))
const SIGNED = { key: 'public', signature: 'signed' }

async function report(tenant: Tenant, entries: readonly { seq: number }[], signed: object | null = SIGNED) {
  const device = await connectDevice(cloud.ready.mqttUrl, tenant)
  const confirmed: string[] = []
  device.client.on('message', (topic) => void confirmed.push(topic))
  await device.client.publishAsync(topics.reports(tenant.deviceId), JSON.stringify({ entries, signed }), { qos: 1 })
  const last = entries.at(-1)?.seq ?? 0
  await eventually(() => expect(confirmed).toContain(topics.confirm(tenant.deviceId, 'reports', last)))
  await device.close()
}

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  theirs = await addTenant(cloud, 'Theirs')
})
afterAll(() => cloud.stop())

const path = (orgId: string, query: string) => `/api/orgs/${orgId}/reports?format=chain${query}`

async function exported(orgId: string, deviceId: string) {
  const headers = { authorization: `Bearer ${cloud.ready.adminToken}` }
  const answer = await fetch(`${cloud.ready.baseUrl}${path(orgId, `&deviceId=${deviceId}`)}`, { headers })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('the signed audit', () => {
  test('contains every entry once with its exact text, and the signature of each batch', async () => {
    const entries = chained(ours.deviceId, 1500)
    await report(ours, entries.slice(0, 1200))
    await report(ours, entries.slice(0, 1200))
    await report(ours, entries.slice(1200), null)
    const [head, ...lines] = await exported(ours.orgId, ours.deviceId)
    expect(head).toEqual({ plantroomAudit: 1, deviceId: ours.deviceId })
    expect(lines.map(({ entry }) => entry)).toEqual(entries.map((entry) => JSON.stringify(entry)))
    expect(lines.flatMap(({ signed }, index) => (signed ? [[index, signed]] : []))).toEqual([[1199, SIGNED]])
  })

  test('of another organization is empty, also for the ids of its devices', async () => {
    await report(theirs, chained(theirs.deviceId, 1))
    expect(await exported(ours.orgId, theirs.deviceId)).toHaveLength(1)
  })

  test('is for administrators and the operator', async () => {
    const query = path(ours.orgId, `&deviceId=${ours.deviceId}`)
    const { apiKey } = await createKey(cloud, ours.orgId, ['edge-device:read_write'])
    expect((await call(cloud, 'GET', query, { headers: { 'x-api-key': apiKey } })).status).toBe(403)
    let people = 0
    const asPerson = async (roles: MemberRoles) => {
      people += 1
      const { headers } = await addPerson(cloud, ours.orgId, `person-${people}@example.ee`, roles)
      return (await fetch(`${cloud.ready.baseUrl}${query}`, { headers })).status
    }
    expect(await asPerson({ role: 'admin' })).toBe(200)
    expect(await asPerson({ sites: [{ siteId: ours.siteId, role: 'manager' }] })).toBe(403)
  })

  test('needs a device', async () => {
    const { status, body } = await asOperator(cloud, 'GET', path(ours.orgId, ''))
    expect([status, body.field]).toEqual([400, 'deviceId'])
  })
})
