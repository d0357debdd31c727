import type { EquipmentReading } from '@plantroom/contract/discovery'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addTenant, asOperator, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { type Answering, connectDevice, type TestDevice } from '../../testing/device.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let device: TestDevice
let received: { command: string; envelope: Record<string, unknown> }[] = []
let answer: ReturnType<Answering>

const READING: EquipmentReading = { raw: 215, value: 21.5, note: null, error: null }
const SETTINGS = { url: 'mqtt://anna:hunter2@10.0.0.5', password: 'hunter2' }
const ADDRESS = { protocol: 'mqtt', settings: SETTINGS, data: { stateTopic: 'hp/flow' } }

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  device = await connectDevice(cloud.ready.mqttUrl, tenant, (command, envelope) => {
    received.push({ command, envelope })
    return answer
  })
  await eventually(async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/devices`)
    expect(body.devices).toMatchObject([{ online: true }])
  })
})
beforeEach(() => {
  received = []
  answer = { status: 'ok', payload: JSON.stringify(READING) }
})
afterAll(async () => {
  await device?.close()
  await cloud?.stop()
})

const pathOf = (rest: string) => `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}${rest}`
const post = (rest: string, body: object) => asOperator(cloud, 'POST', pathOf(rest), body)

async function newest() {
  const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity?limit=1`)
  return (body.entries as Record<string, unknown>[])[0]
}

describe('a reading before anything is stored', () => {
  test('is asked of the controller, and is in the activity log without passwords', async () => {
    const { status, body } = await post('/read', ADDRESS)
    expect([status, body]).toEqual([200, READING])
    expect(received).toMatchObject([{ command: 'readEquipment', envelope: { data: ADDRESS } }])
    const entry = await newest()
    expect(entry).toMatchObject({
      action: 'equipment-read',
      subject: { kind: 'device', id: tenant.deviceId },
      details: { protocol: 'mqtt', endpoint: '10.0.0.5:1883' },
    })
    expect(JSON.stringify(entry)).not.toContain('hunter2')
  })

  test.each([
    [{ ...ADDRESS, protocol: 'knx' }, 'protocol'],
    [{ ...ADDRESS, data: 7 }, 'data'],
    [{ ...ADDRESS, write: 5 }, 'write'],
  ])('is refused before the controller is asked: %j', async (body, field) => {
    const { status, body: refused } = await post('/read', body)
    expect([status, refused.field]).toEqual([400, field])
    expect(received).toEqual([])
  })

  test('answers what the controller rejects as the controller says it', async () => {
    answer = { status: 'rejected', payload: 'this device does not know the command readEquipment; update its software' }
    const { status, body } = await post('/read', ADDRESS)
    expect([status, body.message]).toEqual([499, expect.stringContaining('update its software')])
  })

  test('is refused beyond 120 in a minute, and says when to try again', async () => {
    const statuses = new Set<number>()
    for (let turn = 0; turn < 121 && !statuses.has(429); turn += 1) {
      const { status, body } = await post('/read', { ...ADDRESS, data: { turn } })
      statuses.add(status)
      if (status === 429) expect(body.message).toMatch(/120 readings in a minute.*try again in \d+ s/)
    }
    expect([...statuses]).toEqual([200, 429])
  })
})

const SCAN = {
  ...{
    id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    state: 'running',
    done: 1,
    of: 32,
    warnings: ['device 5 is silent'],
    error: null,
  },
  connections: [
    {
      ...{ name: 'AHU', protocol: 'bacnet-ip', settings: { host: '10.0.0.5' }, description: 'ACME', warnings: [] },
      datapoints: [{ name: 'Fan', accessType: 'READ', data: { object: 'binary-input,1' }, raw: 1, warnings: [] }],
    },
  ],
}

describe('a scan', () => {
  const target = { protocol: 'bacnet-ip', settings: { host: '10.0.0.0/24' } }

  test('is started, looked at and cancelled at the controller; the start is in the activity log', async () => {
    answer = { status: 'ok', payload: JSON.stringify(SCAN) }
    expect(await post('/scan', target)).toMatchObject({ status: 200, body: SCAN })
    expect(await newest()).toMatchObject({
      action: 'equipment-scanned',
      details: { protocol: 'bacnet-ip', endpoint: '10.0.0.0/24:47808' },
    })
    expect(await asOperator(cloud, 'GET', pathOf('/scan/6f9619ff-8b86-4d01-b42d-00cf4fc964ff'))).toMatchObject({
      status: 200,
      body: SCAN,
    })
    expect(await asOperator(cloud, 'DELETE', pathOf('/scan/6f9619ff-8b86-4d01-b42d-00cf4fc964ff'))).toMatchObject({
      status: 200,
      body: SCAN,
    })
    const asked = received.map(({ command, envelope: { data } }) => [command, data])
    expect(asked).toEqual([
      ['startScan', target],
      ['getScan', { id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' }],
      ['cancelScan', { id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' }],
    ])
  })

  test('is refused as the controller says it, and beyond ten in a minute', async () => {
    answer = {
      status: 'rejected',
      payload: 'a scan of this controller is running: wait until it is over, or cancel it',
    }
    const refused = await post('/scan', target)
    expect([refused.status, refused.body.message]).toEqual([499, expect.stringContaining('is running')])
    const statuses: number[] = []
    for (let turn = 0; turn < 11 && !statuses.includes(429); turn += 1)
      statuses.push((await post('/scan', target)).status)
    expect(statuses.at(-1)).toBe(429)
  })
})
