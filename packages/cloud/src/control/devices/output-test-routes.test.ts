import { isSignedBy } from '@plantroom/base/audit-key'
import { sha256 } from '@plantroom/base/sha256'
import type { OutputTest, SignedRecord } from '@plantroom/contract/api'
import { jsonOf } from '@plantroom/contract/commissioning'
import type { OutputTestResult, TestReadings } from '@plantroom/contract/output-test'
import type { ReportEntry } from '@plantroom/contract/reports'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { type Answering, connectDevice, type TestDevice } from '../../testing/device.ts'

const SCALER = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 }
const METER = { name: 'Grid', accessType: 'READ', unit: 'kW', data: { register: 1 } }
const ENVELOPE = { writeInputData: { min: -50, max: 50 } }
const BATTERY = { name: 'Battery', accessType: 'READ_WRITE', unit: 'kW', ...ENVELOPE, data: { register: 2 } }
const BOILER = { name: 'Boiler', accessType: 'READ_WRITE', ...ENVELOPE, data: { register: 3 } }

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let other: Tenant
let device: TestDevice
let manager: Awaited<ReturnType<typeof addPerson>>
let received: { command: string; envelope: Record<string, unknown> }[] = []
let answer: ReturnType<Answering>
let ids: Record<string, string> = {}
let seq = 0

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  other = await addTenant(cloud, 'Other organization')
  const sites = [{ siteId: tenant.siteId, role: 'manager' as const }]
  manager = await addPerson(cloud, tenant.orgId, 'manager@example.com', { sites })
  device = await connectDevice(cloud.ready.mqttUrl, tenant, (command, envelope) => {
    if (command === 'commission') return { status: 'ok', payload: '{}' }
    if (command === 'checkCommissioning') return { status: 'ok', payload: '{"problems":[],"held":[]}' }
    received.push({ command, envelope })
    return answer
  })
  await eventually(async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/devices`)
    expect(body.devices).toMatchObject([{ online: true }])
  })
  await commission()
})
beforeEach(() => {
  received = []
  answer = { status: 'ok', payload: '{"id":"ovr_1"}' }
})
afterAll(async () => {
  await device?.close()
  await cloud?.stop()
})

const pathOf = ({ orgId, deviceId }: Tenant, rest = '') => `/api/orgs/${orgId}/devices/${deviceId}${rest}`

/** Commissions a battery and a boiler behind a meter, and returns the warnings about the meter. */
async function commission({ meter = {}, battery = {}, settings = {}, check = false } = {}): Promise<string[]> {
  const loads = [
    { datapoint: 'Battery', kind: 'modulating', priority: 1, minKw: -20, maxKw: 20 },
    { datapoint: 'Boiler', kind: 'switching', priority: 2, shedValue: 0, ratedKw: 9 },
  ]
  const datapoints = [{ ...METER, ...meter }, { ...BATTERY, ...battery }, BOILER]
  const file = {
    technicalSystem: 'Room',
    connections: [{ name: 'C', protocol: 'modbus-tcp', settings: { host: '10.0.0.1', ...settings }, datapoints }],
    powerLimit: { meter: 'Grid', guaranteedKw: 4, loads },
  }
  const [method, path] = check ? (['POST', '/commissioning/check'] as const) : (['PUT', '/commissioning'] as const)
  const { status, body } = await asOperator(cloud, method, pathOf(tenant, path), file)
  expect([status, check ? body.problems : []]).toEqual([200, []])
  const connections = (body.connections ?? []) as { datapoints: { id: string; name: string }[] }[]
  const all = connections.flatMap((one) => one.datapoints)
  if (!check) ids = Object.fromEntries(all.map(({ id, name }) => [name, id]))
  const warnings = (body.warnings ?? []) as { path: string; message: string }[]
  return warnings.filter(({ path }) => path === 'powerLimit.meter').map(({ message }) => message)
}

const asked = (about: object = {}) => ({
  ...{ datapointId: ids.Battery, value: 5, seconds: 30, meterId: ids.Grid },
  ...about,
})
const post = (body: object, headers: Record<string, string> = manager.headers) =>
  call(cloud, 'POST', pathOf(tenant, '/tests'), { headers, body })
const list = (query = '') => call(cloud, 'GET', pathOf(tenant, `/tests${query}`), { headers: manager.headers })

const readings = (value: number, meter: number): TestReadings => ({ value, meter, spread: 0, readings: 5 })

/** Tests the battery; the meter moves by so many kW. */
async function tested(movesKw: number, id = `ovr_t${seq}`, about: object = {}): Promise<void> {
  answer = { status: 'ok', payload: JSON.stringify({ id }) }
  expect((await post(asked(about))).status).toBe(201)
  const result: OutputTestResult = {
    ...{ meterId: ids.Grid ?? null, taken: true },
    ...{ before: readings(0, 20), held: readings(5, 20 + movesKw), after: readings(0, 20) },
  }
  await reported(id, result)
}

async function reported(id: string, result: OutputTestResult): Promise<void> {
  seq += 1
  const entry: ReportEntry = {
    ...{ id: `rep_${seq}`, seq, code: 4005, name: '', title: '', group: '', level: '', deviceId: tenant.deviceId },
    ...{ at: '2026-01-01T00:00:00.000Z', technicalSystemId: 'sys', connectionId: 'conn', reqId: null },
    ...{ datapointId: ids.Battery ?? '', overrideId: id, phase: 'tested', reason: 'ended', valueBefore: 0, value: 5 },
    ...{ readBack: 5, placedBy: null, cancelledBy: null, test: result },
  }
  await device.client.publishAsync(topics.reports(tenant.deviceId), JSON.stringify({ entries: [entry] }), { qos: 1 })
  await eventually(async () => {
    const { body } = await list()
    expect(body.tests).toContainEqual(expect.objectContaining({ id, result: expect.objectContaining(result) }))
  })
}

async function newest() {
  const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity?limit=1`)
  return (body.entries as Record<string, unknown>[])[0]
}

describe('a test of an output', () => {
  test('asks the controller, is kept with who started it, and is in the activity log', async () => {
    const answered = await post(asked())
    expect([answered.status, answered.body]).toEqual([201, { id: 'ovr_1' }])
    expect(received).toMatchObject([
      {
        command: 'testOutput',
        envelope: { keyId: `user:${manager.userId}`, callerName: 'manager@example.com', data: asked() },
      },
    ])
    expect((await list()).body).toMatchObject({
      tests: [
        {
          ...{ id: 'ovr_1', datapoint: { id: ids.Battery, name: 'Battery' }, value: 5, seconds: 30 },
          ...{ meter: { id: ids.Grid, name: 'Grid' }, by: 'manager@example.com' },
          ...{ result: null, judgement: null, moved: null, note: null },
        },
      ],
      meters: [{ meter: { name: 'Grid' }, confirmedAt: null, loads: [{ name: 'Battery' }, { name: 'Boiler' }] }],
    })
    expect(await newest()).toMatchObject({
      action: 'output-tested',
      actor: { kind: 'person', name: 'manager@example.com' },
      subject: { kind: 'datapoint', id: ids.Battery, name: 'Battery' },
      details: { device: { id: tenant.deviceId }, overrideId: 'ovr_1', value: 5, seconds: 30 },
    })
  })

  test('keeps what a person saw; the last answer counts', async () => {
    const path = pathOf(tenant, '/tests/ovr_1/answer')
    await call(cloud, 'POST', path, { headers: manager.headers, body: { moved: false, note: 'no hum' } })
    const { body } = await call(cloud, 'POST', path, { headers: manager.headers, body: { moved: true } })
    expect(body).toMatchObject({ id: 'ovr_1', moved: true, note: null, answeredAt: expect.any(String) })
    expect((await list()).body.tests).toMatchObject([{ id: 'ovr_1', moved: true }])
    expect(await newest()).toMatchObject({
      action: 'output-test-answered',
      details: { overrideId: 'ovr_1', moved: true },
    })
    const unknown = pathOf(tenant, '/tests/ovr_none/answer')
    expect((await call(cloud, 'POST', unknown, { headers: manager.headers, body: { moved: true } })).status).toBe(404)
  })

  test('is refused to every key, with a message that says who can', async () => {
    const { apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
    const { status, body } = await post(asked(), { 'x-api-key': apiKey })
    expect([status, body.message]).toEqual([403, expect.stringMatching(/^API keys cannot do this: a person/)])
    expect(received).toEqual([])
  })

  test.each([
    [{ seconds: 61 }, 'seconds'],
    [{ seconds: 4 }, 'seconds'],
    [{ value: 'high' }, 'value'],
    [{ datapointId: 'dp_none' }, 'datapointId: this device has no datapoint dp_none'],
    [{ meterId: 'dp_none' }, 'meterId: this device has no datapoint dp_none'],
    [{ reason: 'x' }, 'reason'],
  ])('an invalid body (case %#) answers 400 and asks nothing', async (about, field) => {
    const answered = await post(asked(about))
    expect([answered.status, answered.body.message]).toEqual([400, expect.stringContaining(field)])
    expect(received).toEqual([])
  })

  test('passes on why the controller rejects it, and keeps and records nothing', async () => {
    answer = { status: 'rejected', payload: 'datapoint Battery is held by Schedule; test it when it is free' }
    const before = [await newest(), (await list()).body.tests]
    const answered = await post(asked())
    expect([answered.status, answered.body.message]).toEqual([499, answer.payload])
    expect([await newest(), (await list()).body.tests]).toEqual(before)
  })

  test('of another organization is not found', async () => {
    const { status } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/devices/${other.deviceId}/tests`)
    expect(status).toBe(404)
  })
})

describe('the sign of the meter of a power limit', () => {
  test('is asked for until a test confirmed it, when a file is checked and when it is loaded', async () => {
    const warning = expect.stringContaining('no test has confirmed the sign of "Grid" yet')
    expect(await commission({ check: true })).toEqual([warning])
    expect(await commission()).toEqual([warning])
    await tested(0.2)
    expect((await list()).body.tests).toMatchObject([{ judgement: { verdict: 'unclear' } }, {}])
    expect(await commission()).toEqual([warning])
    await tested(4.8)
    expect((await list()).body).toMatchObject({
      tests: [{ judgement: { verdict: 'follows', expectedKw: 5, otherKw: 0 } }, {}, {}],
      meters: [{ confirmedAt: '2026-01-01T00:00:00.000Z' }],
    })
    expect([await commission({ check: true }), await commission()]).toEqual([[], []])
  })

  test.each<[string, Parameters<typeof commission>[0]]>([
    ['address', { meter: { data: { register: 9 } } }],
    ['scaler', { meter: { scaler: { ...SCALER, outputValue2: -1 } } }],
    ['unit', { meter: { unit: 'W' } }],
    ['host', { settings: { host: '10.0.0.2' } }],
  ])('is asked for again after a change of its %s, and not after the way back', async (_what, change) => {
    expect(await commission(change)).toHaveLength(1)
    expect(await commission()).toEqual([])
  })

  test('is not asked for again after a change of how it is polled, or of its name', async () => {
    expect(await commission({ settings: { pollSeconds: 5 } })).toEqual([])
    expect(await commission()).toEqual([])
  })

  test('is asked for again when the only load that confirmed it changes', async () => {
    expect(await commission({ battery: { scaler: { ...SCALER, outputValue2: -1 } } })).toHaveLength(1)
    expect(await commission()).toEqual([])
  })

  test('is asked for again when a later test shows the opposite, or a person saw nothing move', async () => {
    await tested(-5)
    expect(((await list()).body.tests as unknown[])[0]).toMatchObject({
      judgement: { verdict: 'opposite', meterKw: -5 },
    })
    expect(await commission()).toHaveLength(1)
    await tested(5)
    expect(await commission()).toEqual([])
    const path = pathOf(tenant, `/tests/ovr_t${seq - 1}/answer`)
    await call(cloud, 'POST', path, { headers: manager.headers, body: { moved: false } })
    expect(await commission()).toHaveLength(1)
  })

  test('pages through the tests, the newest first', async () => {
    const { body } = await list('?limit=2')
    const rest = await list(`?limit=100&cursor=${body.nextCursor}`)
    const ids = [...(body.tests as { id: string }[]), ...(rest.body.tests as { id: string }[])].map(({ id }) => id)
    expect([ids.length, new Set(ids).size, ids.at(-1)]).toEqual([5, 5, 'ovr_1'])
  })
})

describe('the record of a commissioning', () => {
  test('has what is loaded without passwords, by whom, each test and open warnings, signed by the service', async () => {
    await commission({ settings: { host: '10.0.0.9', password: 'secret' } })
    const { status, body } = await asOperator(cloud, 'GET', pathOf(tenant, '/commissioning/record'))
    expect(status).toBe(200)
    const { record, hash, signed } = body as SignedRecord
    expect(sha256(jsonOf(record))).toBe(hash)
    expect(isSignedBy(signed, hash)).toBe(true)
    expect(signed.key).toBe((await asOperator(cloud, 'GET', '/api/audit-key')).body.key)
    expect(record).toMatchObject({
      device: { id: tenant.deviceId },
      site: { id: tenant.siteId, timeZone: 'UTC' },
      systems: [
        { by: { kind: 'operator' }, file: { technicalSystem: 'Room' }, warnings: [{ path: 'powerLimit.meter' }] },
      ],
    })
    expect(JSON.stringify(record)).not.toContain('secret')
    const { body: listed } = await asOperator(cloud, 'GET', pathOf(tenant, '/tests?limit=100'))
    const place = { connection: expect.any(String), unit: expect.any(String) }
    expect(record.tests).toEqual(
      (listed.tests as OutputTest[]).map((test) => ({ ...test, ...place, meterUnit: test.meter ? 'kW' : null })),
    )
    expect(record.tests.length).toBeGreaterThan(0)
  })

  test('is for administrators of the organization', async () => {
    const path = pathOf(tenant, '/commissioning/record')
    expect((await call(cloud, 'GET', path, { headers: manager.headers })).status).toBe(403)
    expect(
      (await asOperator(cloud, 'GET', pathOf({ ...tenant, orgId: other.orgId }, '/commissioning/record'))).status,
    ).toBe(404)
  })
})
