import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { type Answering, connectDevice, type TestDevice } from '../../testing/device.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let device: TestDevice
let manager: Awaited<ReturnType<typeof addPerson>>
/** What the device was asked, and what it answers. */
let received: { command: string; envelope: Record<string, unknown> }[] = []
let answer: ReturnType<Answering>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  const sites = [{ siteId: tenant.siteId, role: 'manager' as const }]
  manager = await addPerson(cloud, tenant.orgId, 'manager@example.com', { sites })
  device = await connectDevice(cloud.ready.mqttUrl, tenant, (command, envelope) => {
    if (command === 'commission' || command === 'checkCommissioning') return { status: 'ok', payload: '{}' }
    received.push({ command, envelope })
    return answer
  })
  await becomes(true)
})
beforeEach(() => {
  received = []
  answer = { status: 'ok', payload: '{"readBack":18}' }
})
afterAll(async () => {
  await device?.close()
  await cloud?.stop()
})

const becomes = (online: boolean) =>
  eventually(async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/devices`)
    expect(body.devices).toMatchObject([{ online }])
  })

const close = (headers: Record<string, string>, body: object, datapointId = 'dp_1') => {
  const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/holds/${datapointId}/close`
  return call(cloud, 'POST', path, { headers, body })
}
const operator = () => ({ authorization: `Bearer ${cloud.ready.adminToken}` })
const BY_HAND = { outcome: 'restored-by-hand', reason: 'set to 21 at the panel' }

async function newest() {
  const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity?limit=1`)
  return (body.entries as Record<string, unknown>[])[0]
}

describe('closing a hold', () => {
  test('asks the controller, names who and why, and returns what was read last', async () => {
    const answered = await close(manager.headers, { ...BY_HAND, reason: ' set to 21 at the panel ' })
    expect([answered.status, answered.body]).toEqual([200, { readBack: 18 }])
    expect(received).toMatchObject([
      {
        command: 'closeHold',
        envelope: {
          keyId: `user:${manager.userId}`,
          callerName: 'manager@example.com',
          data: { datapointId: 'dp_1', ...BY_HAND },
        },
      },
    ])
    expect(await newest()).toMatchObject({
      action: 'hold-closed',
      siteId: tenant.siteId,
      actor: { kind: 'person', name: 'manager@example.com' },
      subject: { kind: 'datapoint', id: 'dp_1' },
      details: { device: { id: tenant.deviceId }, ...BY_HAND, readBack: 18 },
    })
  })

  test('is open to the operator, and names the datapoint in the log', async () => {
    const datapoints = [{ name: 'Flow', accessType: 'READ', data: {} }]
    const file = { technicalSystem: 'Room', connections: [{ name: 'C', protocol: 'mqtt', settings: {}, datapoints }] }
    const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/commissioning`
    const { body } = await asOperator(cloud, 'PUT', path, file)
    const [connection] = body.connections as { datapoints: { id: string }[] }[]
    answer = { status: 'ok', payload: '{"readBack":null}' }
    const id = connection?.datapoints[0]?.id ?? ''
    const answered = await close(operator(), { outcome: 'abandoned', reason: 'equipment gone' }, id)
    expect([answered.status, answered.body]).toEqual([200, { readBack: null }])
    expect(received[0]?.envelope).toMatchObject({ keyId: 'operator', data: { datapointId: id, outcome: 'abandoned' } })
    expect(await newest()).toMatchObject({ actor: { kind: 'operator' }, subject: { id, name: 'Flow' } })
  })

  test('is refused to every key, with a message that says who can', async () => {
    const { apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write', 'ticket:read_write'])
    for (const headers of [{ 'x-api-key': apiKey }, { ...manager.headers, 'x-api-key': apiKey }]) {
      const { status, body } = await close(headers, BY_HAND)
      expect([status, body.message]).toEqual([403, expect.stringMatching(/^API keys cannot do this: a person/)])
    }
    expect((await close({ 'x-api-key': 'plr_unknown' }, BY_HAND)).status).toBe(401)
    expect(received).toEqual([])
  })

  test.each([
    [{ ...BY_HAND, outcome: 'done' }, 'outcome'],
    [{ outcome: 'abandoned' }, 'reason'],
    [{ ...BY_HAND, reason: ' \n' }, 'reason'],
    [{ ...BY_HAND, reason: 'x'.repeat(201) }, 'reason'],
    [{ ...BY_HAND, value: 21 }, 'value'],
  ])('an invalid body (case %#) answers 400 and asks nothing', async (body, field) => {
    const answered = await close(manager.headers, body)
    expect([answered.status, answered.body.message]).toEqual([400, expect.stringContaining(field)])
    expect(received).toEqual([])
  })

  test('passes on why the controller rejects it, and records nothing', async () => {
    const message = 'datapoint Flow is held by Demand response; cancel its overrides first, then close the hold'
    answer = { status: 'rejected', payload: message }
    const before = await newest()
    const answered = await close(manager.headers, BY_HAND)
    expect([answered.status, answered.body.message]).toEqual([499, message])
    expect(await newest()).toEqual(before)
  })

  test('of a device of another organization answers 404 to the operator', async () => {
    const other = await addTenant(cloud, 'Other organization')
    const path = `/api/orgs/${tenant.orgId}/devices/${other.deviceId}/holds/dp_1/close`
    expect((await asOperator(cloud, 'POST', path, BY_HAND)).status).toBe(404)
  })

  test('answers 502 while the controller is away, and records nothing', async () => {
    const before = await newest()
    await device.close()
    await becomes(false)
    const answered = await close(manager.headers, BY_HAND)
    expect([answered.status, answered.body.message]).toEqual([502, expect.stringContaining('offline')])
    expect(await newest()).toEqual(before)
  })
})
