import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, type SignedInHeaders } from '../../organization/access/testing/people.ts'
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

type Who = 'viewer' | 'manager' | 'admin' | 'stranger'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let device: TestDevice
const people: Partial<Record<Who, { userId: string; headers: SignedInHeaders }>> = {}
/** The caller of each command that reached the device. */
const keyIds: unknown[] = []
const envelopes: Record<string, unknown>[] = []

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  const { orgId, siteId } = tenant
  const elsewhere = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/sites`, { name: 'Elsewhere' })
  const of = (site: string, role: 'viewer' | 'manager') => ({ sites: [{ siteId: site, role }] })
  people.viewer = await addPerson(cloud, orgId, 'viewer@example.com', of(siteId, 'viewer'))
  people.manager = await addPerson(cloud, orgId, 'manager@example.com', of(siteId, 'manager'))
  people.admin = await addPerson(cloud, orgId, 'admin@example.com', { role: 'admin' })
  people.stranger = await addPerson(cloud, orgId, 'stranger@example.com', of(String(elsewhere.body.id), 'manager'))
  device = await connectDevice(cloud.ready.mqttUrl, tenant, (_command, envelope) => {
    keyIds.push(envelope.keyId)
    envelopes.push(envelope)
    return { status: 'ok', payload: '{}' }
  })
  await eventually(async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${orgId}/devices`)
    expect(body.devices).toMatchObject([{ online: true }])
  })
})
afterAll(async () => {
  await device?.close()
  await cloud?.stop()
})

const DATA = {
  getTechnicalDataPoints: { connectionId: 'c1' },
  getTechnicalConnectionValues: { id: 'c1' },
  demandResponseOverride: { datapointId: 'd', value: 1, from: '2030-01-01T00:00:00Z', to: '2030-01-01T01:00:00Z' },
  demandResponseCancel: { id: 'ovr_1' },
}
type CommandName = keyof typeof DATA

const send = (command: CommandName, headers: Record<string, string>) =>
  call(cloud, 'POST', commandPath(tenant.orgId, tenant.deviceId, command), { headers, body: { data: DATA[command] } })
const as = (who: Who): Record<string, string> => people[who]?.headers ?? {}

describe('a command from a signed-in person', () => {
  test.each<[CommandName, Who, number]>([
    ['getTechnicalDataPoints', 'viewer', 200],
    ['getTechnicalConnectionValues', 'viewer', 200],
    ['demandResponseOverride', 'viewer', 403],
    ['demandResponseCancel', 'viewer', 403],
    ['getTechnicalConnectionValues', 'manager', 200],
    ['demandResponseOverride', 'manager', 200],
    ['demandResponseCancel', 'manager', 200],
    ['demandResponseOverride', 'admin', 200],
    ['getTechnicalConnectionValues', 'stranger', 403],
    ['demandResponseOverride', 'stranger', 403],
  ])('%s from a %s answers %i', async (command, who, status) => {
    const before = keyIds.length
    expect((await send(command, as(who))).status).toBe(status)
    expect(keyIds.slice(before)).toEqual(status === 200 ? [`user:${people[who]?.userId}`] : [])
  })

  test('carries the id of the key when the request also has one', async () => {
    const key = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    await send('demandResponseOverride', { ...as('manager'), 'x-api-key': key.apiKey })
    expect(keyIds.at(-1)).toBe(key.id)
  })

  test('says their name, and to earlier controllers that they may cancel overrides of others', async () => {
    const about = async (command: CommandName, headers: Record<string, string>) => {
      await send(command, headers)
      const { callerName, manages } = envelopes.at(-1) ?? {}
      return [callerName, manages]
    }
    expect(await about('demandResponseCancel', as('manager'))).toEqual(['manager@example.com', true])
    expect(await about('demandResponseCancel', as('admin'))).toEqual(['admin@example.com', true])
    expect(await about('getTechnicalConnectionValues', as('viewer'))).toEqual(['viewer@example.com', true])
    const key = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/api-keys`)
    const { name } = (body.keys as { id: string; name: string }[]).find(({ id }) => id === key.id) ?? {}
    expect(name).toEqual(expect.stringMatching(/./))
    expect(await about('demandResponseCancel', { 'x-api-key': key.apiKey })).toEqual([name, true])
    // With both, the key counts.
    expect(await about('demandResponseCancel', { ...as('admin'), 'x-api-key': key.apiKey })).toEqual([name, true])
  })

  test('is refused from a page of another site', async () => {
    const before = keyIds.length
    const { status } = await send('demandResponseOverride', { ...as('manager'), origin: 'https://evil.example' })
    expect([status, keyIds.length]).toEqual([403, before])
  })
})

describe('a command without a key or a person', () => {
  test('is refused, even from the operator, because every override needs an owner', async () => {
    const before = keyIds.length
    expect((await send('getTechnicalConnectionValues', {})).status).toBe(401)
    const operator = { authorization: `Bearer ${cloud.ready.adminToken}` }
    expect((await send('demandResponseOverride', operator)).status).toBe(401)
    expect(keyIds).toHaveLength(before)
  })
})

describe('the devices of an organization', () => {
  const listedFor = async (headers: Record<string, string>) => {
    const { status, body } = await call(cloud, 'GET', `/api/orgs/${tenant.orgId}/devices`, { headers })
    return [status, (body.devices as { id: string }[] | undefined)?.map(({ id }) => id)]
  }

  test('are limited to the sites a person may see', async () => {
    for (const who of ['viewer', 'manager', 'admin'] as const) {
      expect(await listedFor(as(who))).toEqual([200, [tenant.deviceId]])
    }
    expect(await listedFor(as('stranger'))).toEqual([200, []])
  })

  test('do not include devices of another organization', async () => {
    const other = await addTenant(cloud, 'Other organization')
    const operator = { authorization: `Bearer ${cloud.ready.adminToken}` }
    for (const caller of [operator, as('admin')]) expect(await listedFor(caller)).toEqual([200, [tenant.deviceId]])
    const theirs = await call(cloud, 'GET', `/api/orgs/${other.orgId}/devices`, { headers: operator })
    expect(theirs.body.devices).toMatchObject([{ id: other.deviceId }])
    expect((await call(cloud, 'GET', `/api/orgs/${other.orgId}/devices`, { headers: as('admin') })).status).toBe(403)
  })

  test('of another organization cannot be changed through ours', async () => {
    const other = await addTenant(cloud, 'Unchanged organization')
    const operator = { authorization: `Bearer ${cloud.ready.adminToken}` }
    const path = `/api/orgs/${tenant.orgId}/devices/${other.deviceId}`
    const callers = [
      [operator, 404],
      [as('admin'), 403],
    ] as const
    for (const [headers, status] of callers) {
      expect((await call(cloud, 'POST', `${path}/credential`, { headers })).status).toBe(status)
      expect((await call(cloud, 'DELETE', path, { headers })).status).toBe(status)
    }
    // It is still there, with the secret it had.
    const connected = await connectDevice(cloud.ready.mqttUrl, other, () => ({ status: 'ok', payload: '{}' }))
    await connected.close()
  })

  test.each<[string, string, number]>([
    ['POST', 'devices', 403],
    ['POST', 'devices/DEVICE/credential', 403],
    ['DELETE', 'devices/DEVICE', 403],
  ])('can be changed only by administrators: %s %s', async (method, path, status) => {
    const full = `/api/orgs/${tenant.orgId}/${path.replace('DEVICE', tenant.deviceId)}`
    const body = path === 'devices' ? { name: 'More', siteId: tenant.siteId } : undefined
    expect((await call(cloud, method, full, { headers: as('manager'), body })).status).toBe(status)
  })
})
