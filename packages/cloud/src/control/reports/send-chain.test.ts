import { type AuditKey, fingerprintOf, isSignedBy, newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { sha256 } from '@plantroom/base/sha256'
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
const KEY = openAuditKey(newAuditKey())
const signedBy = (key: AuditKey, entries: readonly object[]) => key.sign(sha256(JSON.stringify(entries.at(-1))))

async function report(
  tenant: Tenant,
  entries: readonly { seq: number }[],
  signed: object | null = signedBy(KEY, entries),
) {
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
    const [first, ...lines] = await exported(ours.orgId, ours.deviceId)
    const last = lines.pop()
    expect(first).toEqual({ plantroomAudit: 2, deviceId: ours.deviceId })
    expect(lines.map(({ entry }) => entry)).toEqual(entries.map((entry) => JSON.stringify(entry)))
    const signatures = lines.flatMap(({ signed }, index) => (signed ? [[index, signed]] : []))
    expect(signatures).toEqual([[1199, signedBy(KEY, entries.slice(0, 1200))]])
    expect(isSignedBy(last.signed, sha256(last.head))).toBe(true)
    const written = [first, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
    expect(JSON.parse(last.head)).toEqual({
      ...{ plantroomAuditHead: 1, deviceId: ours.deviceId, count: 1500, first: 1, last: 1500 },
      keys: [{ fingerprint: KEY.fingerprint, at: expect.any(String), reason: 'first' }],
      hash: sha256(JSON.stringify(entries.at(-1))),
      lines: sha256(written),
      at: expect.any(String),
    })
    const { body } = await call(cloud, 'GET', '/api/audit-key')
    expect(body).toEqual({ key: last.signed.key, fingerprint: fingerprintOf(last.signed.key) })
  })

  test('of another organization is empty, also for the ids of its devices', async () => {
    await report(theirs, chained(theirs.deviceId, 1))
    const [, head] = await exported(ours.orgId, theirs.deviceId)
    expect(JSON.parse(head.head)).toMatchObject({ count: 0, first: null, keys: [] })
  })

  test('is for administrators and the operator', async () => {
    const query = path(ours.orgId, `&deviceId=${ours.deviceId}`)
    const { apiKey } = await createKey(cloud, ours.orgId, ['edge-device:read_write'])
    expect((await call(cloud, 'GET', query, { headers: { 'x-api-key': apiKey } })).status).toBe(403)
    let people = 0
    const asPerson = async (roles: MemberRoles) => {
      people += 1
      const { headers } = await addPerson(cloud, ours.orgId, `person-${people}@example.ee`, roles)
      const answer = await fetch(`${cloud.ready.baseUrl}${query}`, { headers })
      // A cloud stops when its answers were read.
      await answer.text()
      return answer.status
    }
    expect(await asPerson({ role: 'admin' })).toBe(200)
    expect(await asPerson({ sites: [{ siteId: ours.siteId, role: 'manager' }] })).toBe(403)
  })

  test('needs a device', async () => {
    const { status, body } = await asOperator(cloud, 'GET', path(ours.orgId, ''))
    expect([status, body.field]).toEqual([400, 'deviceId'])
  })
})

describe('the key of a controller', () => {
  /** A tenant whose controller has reported once with `KEY`. */
  async function recorded(name: string) {
    const tenant = await addTenant(cloud, name)
    await report(tenant, chained(tenant.deviceId, 1))
    return tenant
  }
  const entriesAfter = (deviceId: string, seq: number) => chained(deviceId, seq + 1).slice(seq)
  const keysOf = async ({ orgId, deviceId }: Tenant) => {
    const lines = await exported(orgId, deviceId)
    const { keys } = JSON.parse(lines.at(-1).head) as { keys: { fingerprint: string; reason: string }[] }
    return keys.map(({ fingerprint, reason }) => [fingerprint, reason])
  }
  const first = [KEY.fingerprint, 'first']

  test('is recorded once, and a change of it as a change', async () => {
    const tenant = await recorded('Changed')
    await report(tenant, entriesAfter(tenant.deviceId, 1))
    expect(await keysOf(tenant)).toEqual([first])
    const another = openAuditKey(newAuditKey())
    const entries = entriesAfter(tenant.deviceId, 2)
    await report(tenant, entries, signedBy(another, entries))
    expect(await keysOf(tenant)).toEqual([first, [another.fingerprint, 'unexplained']])
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity?action=audit-key-changed`)
    expect(body.entries).toMatchObject([
      {
        subject: { kind: 'device', id: tenant.deviceId },
        details: { fingerprint: another.fingerprint, before: KEY.fingerprint, reason: 'unexplained' },
      },
    ])
  })

  test('changes with the reason when the controller was replaced', async () => {
    const tenant = await recorded('Replaced')
    const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/replacement`
    const { status, body } = await asOperator(cloud, 'POST', path, { evenIfOnline: true })
    expect(status).toBe(201)
    const another = openAuditKey(newAuditKey())
    const entries = entriesAfter(tenant.deviceId, 1)
    await report({ ...tenant, deviceSecret: String(body.secret) }, entries, signedBy(another, entries))
    expect(await keysOf(tenant)).toEqual([first, [another.fingerprint, 'replaced']])
  })

  test('is not recorded when it did not sign the entry', async () => {
    const tenant = await addTenant(cloud, 'Garbled')
    const entries = chained(tenant.deviceId, 1)
    await report(tenant, entries, { ...KEY.sign('00'), signature: 'AAAA' })
    await report(tenant, entriesAfter(tenant.deviceId, 1), { key: 'public', signature: 'signed' })
    expect(await keysOf(tenant)).toEqual([])
  })
})
