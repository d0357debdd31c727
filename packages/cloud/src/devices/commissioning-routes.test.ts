import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addPerson, type SignedInHeaders } from '../access/testing/people.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../testing/cloud.ts'
import { connectDevice, type TestDevice } from '../testing/device.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let device: TestDevice
/** The systems the device received, in order. */
const received: TechnicalSystem[] = []
/** The callers who commissioned it. */
const keyIds: unknown[] = []

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  device = await connectDevice(cloud.ready.mqttUrl, tenant, (_command, { data, keyId }) => {
    keyIds.push(keyId)
    received.push((data as { technicalSystem: TechnicalSystem }).technicalSystem)
    return { status: 'ok', payload: '{}' }
  })
})
afterAll(async () => {
  await device?.close()
  await cloud?.stop()
})

const path = (rest: string) => `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/${rest}`
const commission = (file: object) => asOperator(cloud, 'PUT', path('commissioning'), file)
const stored = async () => (await asOperator(cloud, 'GET', path('technical-systems'))).body.technicalSystems

const ROOM = {
  technicalSystem: 'Room',
  connections: [
    {
      name: 'Inverter',
      protocol: 'modbus-tcp',
      settings: { host: '10.0.0.5' },
      datapoints: [
        { name: 'Power', accessType: 'READ_WRITE', failsafe: { reversion: 'Reverts', seconds: 60 }, data: {} },
        { name: 'Reverts', accessType: 'WRITE', data: {} },
        { name: 'Grid', accessType: 'READ', data: {} },
      ],
    },
  ],
  peakShaving: { meter: 'Grid', limitKw: 50, loads: [{ datapoint: 'Power', priority: 1, shedValue: 0 }] },
  schedules: [
    {
      name: 'Day',
      datapoint: 'Power',
      slots: [{ days: ['mon'], from: '07:00', to: '18:00', mode: 'absolute', value: 5 }],
    },
  ],
}

describe('a commissioning file with control settings', () => {
  test('is sent to the device with ids, and stored as sent', async () => {
    await eventually(async () => expect((await commission(ROOM)).status).toBe(200))
    const [system] = received
    const [power, reverts, grid] = system?.connections[0]?.datapoints ?? []
    expect(system).toMatchObject({
      timeZone: 'UTC',
      peakShaving: { meterId: grid?.id, limitKw: 50, loads: [{ datapointId: power?.id, shedValue: 0 }] },
      schedules: [{ id: power?.cloudScheduleId, datapointId: power?.id, slots: ROOM.schedules[0]?.slots }],
      failsafes: [{ datapointId: power?.id, kind: 'reversion', registerId: reverts?.id, seconds: 60 }],
    })
    expect(await stored()).toEqual([system])
  })

  test('keeps units, kinds and tags in the service: an earlier controller would show them in its export', async () => {
    const labels = { unit: 'kW', kind: 'setpoint', tags: ['battery.charge-power'] }
    const datapoints = [{ name: 'Power', accessType: 'READ_WRITE', ...labels, data: {} }]
    const connections = [{ name: 'Inverter', protocol: 'modbus-tcp', settings: {}, datapoints }]
    expect((await commission({ technicalSystem: 'Labelled', connections })).status).toBe(200)
    const [sent] = received.at(-1)?.connections[0]?.datapoints ?? []
    expect(sent).toMatchObject({ name: 'Power' })
    for (const label of Object.keys(labels)) expect(sent).not.toHaveProperty(label)
    const systems = (await stored()) as TechnicalSystem[]
    const kept = systems.find(({ name }) => name === 'Labelled')?.connections[0]?.datapoints[0]
    expect(kept).toMatchObject(labels)
    await commission({ technicalSystem: 'Labelled', connections: [] })
  })

  test('uses a new time zone of the site from the next commissioning on', async () => {
    await asOperator(cloud, 'PATCH', `/api/orgs/${tenant.orgId}/sites/${tenant.siteId}`, { timeZone: 'Europe/Tallinn' })
    expect(await stored()).toMatchObject([{ timeZone: 'UTC' }])
    expect((await commission(ROOM)).status).toBe(200)
    expect(received.at(-1)).toMatchObject({ timeZone: 'Europe/Tallinn' })
    expect(await stored()).toMatchObject([{ timeZone: 'Europe/Tallinn' }])
  })

  test('with errors answers 400 with all of them, names the first field, and is not sent', async () => {
    const [before, count] = [await stored(), received.length]
    const { status, body } = await commission({
      ...ROOM,
      peakShaving: { ...ROOM.peakShaving, meter: 'Gird' },
      schedules: [{ name: 'Day', datapoint: 'Grid', slots: [{ days: [], from: '7:00', to: '18:00', value: 5 }] }],
    })
    expect({ status, ...body }).toMatchObject({
      status: 400,
      code: 'INVALID',
      field: 'peakShaving.meter',
      message:
        'peakShaving.meter: this file has no datapoint "Gird"; ' +
        'schedules[0].datapoint: "Grid" cannot be written; ' +
        'schedules[0].slots[0].days: needs a day; ' +
        'schedules[0].slots[0].from: "7:00" is not a time of day: write HH:MM, for example 07:00',
    })
    expect(received).toHaveLength(count)
    expect(await stored()).toEqual(before)
  })

  test.each([
    ['peakShaving.cycleSeconds', { peakShaving: { ...ROOM.peakShaving, cycleSeconds: 5 } }],
    [
      'peakShaving.loads[0].kw',
      { peakShaving: { ...ROOM.peakShaving, loads: [{ ...ROOM.peakShaving.loads[0], kw: 1 }] } },
    ],
    [
      'schedules[0].slots[0].days[0]',
      { schedules: [{ ...ROOM.schedules[0], slots: [{ days: ['monday'], from: '', to: '', value: 1 }] }] },
    ],
  ])('with an invalid structure answers 400 and names %s', async (field, change) => {
    expect((await commission({ ...ROOM, ...change })).body).toMatchObject({ code: 'INVALID', field })
  })
})

describe('a WRITE datapoint', () => {
  const valve = (about: object) => ({
    technicalSystem: 'Valves',
    connections: [
      {
        name: 'Valves',
        protocol: 'modbus-tcp',
        settings: { host: '10.0.0.6' },
        datapoints: [{ name: 'Valve', accessType: 'WRITE', data: {}, ...about }],
      },
    ],
  })

  test('without a releaseValue is commissioned with a warning', async () => {
    const { status, body } = await commission(valve({}))
    expect(status).toBe(200)
    expect(body.warnings).toEqual([
      {
        path: 'connections[0].datapoints[0]',
        message: expect.stringMatching(/^WRITE datapoint without releaseValue: when an override ends, /),
      },
    ])
  })

  test('with a releaseValue, even outside its envelope, is commissioned without a warning', async () => {
    const { body } = await commission(valve({ releaseValue: 40, writeInputData: { min: 0, max: 10 } }))
    expect(body).not.toHaveProperty('warnings')
    expect(received.at(-1)?.connections[0]?.datapoints[0]).toMatchObject({ releaseValue: 40 })
  })

  test('with a releaseValue that is not a finite number answers 400 and names it', async () => {
    for (const releaseValue of ['5', null]) {
      expect((await commission(valve({ releaseValue }))).body).toMatchObject({
        code: 'INVALID',
        field: 'connections[0].datapoints[0].releaseValue',
      })
    }
    const raw = JSON.stringify(valve({ releaseValue: 1 })).replace('"releaseValue":1', '"releaseValue":1e999')
    const headers = { authorization: `Bearer ${cloud.ready.adminToken}` }
    expect((await call(cloud, 'PUT', path('commissioning'), { headers, raw })).body).toMatchObject({
      message: 'connections[0].datapoints[0].releaseValue must be a finite number',
    })
  })

  afterAll(() => commission({ technicalSystem: 'Valves', connections: [] }))
})

describe('a commissioning file that is too large', () => {
  const datapoints = (count: number, about: object = {}) =>
    Array.from({ length: count }, (_, index) => ({
      name: `Datapoint ${index}`,
      accessType: 'READ',
      data: {},
      ...about,
    }))
  const file = (...connections: object[][]) => ({
    technicalSystem: 'Large',
    connections: connections.map((datapoints, index) => ({
      ...{ name: `Connection ${index}`, protocol: 'modbus-tcp', settings: {} },
      datapoints,
    })),
  })
  const REMEDY = 'split the file into several technical systems, or shorten names and data'

  test('for the device answers 400 with its size, the limit and the remedy', async () => {
    const count = received.length
    const { status, body } = await commission(file(datapoints(10_000), datapoints(10_000)))
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'INVALID', field: 'body' })
    const [, bytes] = /^the command has (\d+) bytes, more than the 4194304 that a device accepts: /.exec(
      String(body.message),
    ) ?? ['', '0']
    expect(Number(bytes)).toBeGreaterThan(4_194_304)
    expect(body.message).toMatch(new RegExp(`: ${REMEDY}$`))
    expect(received).toHaveLength(count)
  })

  test('for a request answers 413 with the limit and the remedy', async () => {
    for (const megabytes of [4, 24]) {
      const { status, body } = await commission(file(datapoints(1, { data: { note: 'x'.repeat(megabytes * 1e6) } })))
      expect({ status, ...body }).toMatchObject({
        status: 413,
        code: 'TOO_LARGE',
        message: `the body exceeds the limit of 3145728 bytes: ${REMEDY}`,
      })
    }
  })

  test('in its number of datapoints answers 400 with the limit and the remedy', async () => {
    expect((await commission(file(datapoints(10_001)))).body).toMatchObject({
      field: 'connections[0].datapoints',
      message: `connections[0].datapoints must have at most 10000 items: ${REMEDY}`,
    })
  })
})

describe('the technical systems of a device', () => {
  const headersOf: Record<string, Record<string, string>> = {}
  let systemId = ''

  beforeAll(async () => {
    await eventually(async () => expect((await commission(ROOM)).status).toBe(200))
    systemId = String(((await stored()) as TechnicalSystem[])[0]?.id)
    const { orgId, siteId } = tenant
    const person = async (email: string, roles: Parameters<typeof addPerson>[3]): Promise<SignedInHeaders> =>
      (await addPerson(cloud, orgId, email, roles)).headers
    headersOf.viewer = await person('viewer@example.com', { sites: [{ siteId, role: 'viewer' }] })
    headersOf.manager = await person('manager@example.com', { sites: [{ siteId, role: 'manager' }] })
    headersOf.admin = await person('admin@example.com', { role: 'admin' })
    headersOf.key = { 'x-api-key': (await createKey(cloud, orgId, ['edge-device:read_write'])).apiKey }
    headersOf.ticketKey = { 'x-api-key': (await createKey(cloud, orgId, ['ticket:read'])).apiKey }
    headersOf.operator = { authorization: `Bearer ${cloud.ready.adminToken}` }
  })

  const as = (who: string, method: string, rest: string, body?: unknown) =>
    call(cloud, method, path(rest), { headers: headersOf[who] ?? {}, body })

  test.each(['viewer', 'manager', 'key'])(
    'are shown to a %s without settings, which contain passwords',
    async (who) => {
      const { status, body } = await as(who, 'GET', 'technical-systems')
      const [system] = body.technicalSystems as TechnicalSystem[]
      expect([status, system?.connections.map(({ settings }) => settings)]).toEqual([200, [{}]])
      expect(JSON.stringify(body)).not.toContain('10.0.0.5')
      expect(system?.connections[0]?.datapoints.map(({ name }) => name)).toEqual(['Power', 'Reverts', 'Grid'])
    },
  )

  test.each(['admin', 'operator'])('are shown to the %s with settings', async (who) => {
    const { body } = await as(who, 'GET', 'technical-systems')
    expect(body.technicalSystems).toEqual(await stored())
    expect(JSON.stringify(body)).toContain('10.0.0.5')
  })

  test('are hidden from a key for tickets', async () => {
    expect((await as('ticketKey', 'GET', 'technical-systems')).status).toBe(403)
  })

  test.each(['admin', 'operator'])('are exported for the %s as a file that changes nothing', async (who) => {
    const before = await stored()
    const { status, body } = await as(who, 'GET', `technical-systems/${systemId}/file`)
    expect([status, body]).toEqual([200, ROOM])
    expect((await as(who, 'PUT', 'commissioning', body)).status).toBe(200)
    expect(await stored()).toEqual(before)
  })

  test.each([
    ['viewer', 403],
    ['manager', 403],
    ['key', 401],
    ['stranger', 401],
  ])('are not exported for a %s', async (who, status) => {
    expect((await as(who, 'GET', `technical-systems/${systemId}/file`)).status).toBe(status)
  })

  test('do not include systems of another organization', async () => {
    const other = await addTenant(cloud, 'Other organization')
    const theirDevice = await connectDevice(cloud.ready.mqttUrl, other, () => ({ status: 'ok', payload: '{}' }))
    onTestFinished(() => theirDevice.close())
    const theirPath = (orgId: string, rest: string) => `/api/orgs/${orgId}/devices/${other.deviceId}/${rest}`
    const theirFile = { ...ROOM, technicalSystem: 'Their room' }
    await eventually(async () => {
      const { status } = await asOperator(cloud, 'PUT', theirPath(other.orgId, 'commissioning'), theirFile)
      expect(status).toBe(200)
    })
    const theirs = await asOperator(cloud, 'GET', theirPath(other.orgId, 'technical-systems'))
    const [theirSystem] = theirs.body.technicalSystems as TechnicalSystem[]
    expect(theirSystem?.name).toBe('Their room')
    expect(((await stored()) as TechnicalSystem[]).map(({ name }) => name)).toEqual(['Room'])
    for (const who of ['admin', 'key']) {
      for (const orgId of [tenant.orgId, other.orgId]) {
        const url = theirPath(orgId, 'technical-systems')
        expect((await call(cloud, 'GET', url, { headers: headersOf[who] ?? {} })).status).toBe(403)
      }
    }
    expect((await asOperator(cloud, 'GET', theirPath(tenant.orgId, 'technical-systems'))).status).toBe(404)
    expect((await as('operator', 'GET', `technical-systems/${theirSystem?.id}/file`)).status).toBe(404)
  })

  test.each([
    ['sys_none', 404],
    ['%00', 400],
  ])('do not include an unknown system: %s', async (id, status) => {
    expect((await as('operator', 'GET', `technical-systems/${id}/file`)).status).toBe(status)
  })

  test('can be changed only by administrators, and the device learns the caller', async () => {
    const count = received.length
    expect((await as('manager', 'PUT', 'commissioning', ROOM)).status).toBe(403)
    expect(received).toHaveLength(count)
    expect((await as('admin', 'PUT', 'commissioning', ROOM)).status).toBe(200)
    expect(keyIds.at(-1)).toMatch(/^user:usr_/)
    expect((await as('operator', 'PUT', 'commissioning', ROOM)).status).toBe(200)
    expect(keyIds.at(-1)).toBe('operator')
  })
})

describe('a mute device of another organization', () => {
  test('keeps its own organization waiting, not ours', async () => {
    const theirs = await addTenant(cloud, 'Theirs')
    let asked = 0
    const mute = await connectDevice(cloud.ready.mqttUrl, theirs, () => {
      asked += 1
      return undefined
    })
    onTestFinished(() => mute.close())
    let ended = 0
    const theirPath = `/api/orgs/${theirs.orgId}/devices/${theirs.deviceId}/commissioning`
    const flood = Array.from({ length: 12 }, async (_, index) => {
      await asOperator(cloud, 'PUT', theirPath, { ...ROOM, technicalSystem: `Room ${index}` })
      ended += 1
    })
    await eventually(() => expect(asked + ended).toBeGreaterThanOrEqual(1))
    expect((await commission({ ...ROOM, technicalSystem: 'In time' })).status).toBe(200)
    expect(ended).toBeLessThan(12)
    await Promise.all(flood)
  })
})
