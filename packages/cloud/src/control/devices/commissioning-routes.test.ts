import { type CommissioningCheck, type CommissioningVersion, KEPT_VERSIONS } from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addPerson, type SignedInHeaders } from '../../organization/access/testing/people.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice, type TestDevice } from '../../testing/device.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let device: TestDevice
/** The systems the device received, in order. */
const received: TechnicalSystem[] = []
/** What came with them. */
const sent: object[] = []
/** The callers who commissioned it. */
const keyIds: unknown[] = []
const PASSED = { status: 'ok', payload: '{"problems":[],"held":[]}' } as const
/** What it answers to a check. */
let deviceCheck: { status: 'ok' | 'rejected'; payload: string } = PASSED

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  device = await connectDevice(cloud.ready.mqttUrl, tenant, (command, { data, keyId }) => {
    if (command === 'checkCommissioning') return deviceCheck
    keyIds.push(keyId)
    sent.push(data as object)
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

const ENVELOPE = { writeInputType: 'number', writeInputData: { min: -50, max: 50 } }
const ROOM = {
  technicalSystem: 'Room',
  connections: [
    {
      name: 'Inverter',
      protocol: 'modbus-tcp',
      settings: { host: '10.0.0.5' },
      datapoints: [
        {
          name: 'Power',
          accessType: 'READ_WRITE',
          ...ENVELOPE,
          failsafe: { reversion: 'Reverts', seconds: 60 },
          data: {},
        },
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

describe('a controller that goes back', () => {
  const file = (host: string) => ({
    technicalSystem: 'Tried',
    connections: [{ name: 'Meter', protocol: 'modbus-tcp', settings: { host }, datapoints: [] }],
  })
  const lastLoad = () => (sent.at(-1) as { loadId: string }).loadId
  const at = '2030-01-01T00:00:00.000Z'
  const saysThatItWentBack = (loadIds: readonly string[]) => {
    const how = { loadIds, at, reason: 'connections-lost', lost: ['Meter'] }
    const state = { at, clockSuspect: false, connections: [], holds: [], overrides: [], rolledBack: how }
    device.client.publish(topics.state(tenant.deviceId), JSON.stringify(state))
  }
  const hosts = async () =>
    ((await stored()) as TechnicalSystem[])
      .filter(({ name }) => name === 'Tried')
      .map(({ connections }) => connections[0]?.settings.host)
  const tried = async () =>
    ((await asOperator(cloud, 'GET', path('commissioning/versions'))).body.versions as CommissioningVersion[]).filter(
      ({ technicalSystem }) => technicalSystem === 'Tried',
    )

  test('makes the version before the current one again, once, and names why', async () => {
    await commission(file('good'))
    await commission(file('bad'))
    const first = lastLoad()
    await commission({ ...file('worse'), keep: true })
    expect(sent.at(-1)).toMatchObject({ keep: true })
    saysThatItWentBack([first, lastLoad()])
    await eventually(async () => expect(await hosts()).toEqual(['good']))
    saysThatItWentBack([first, lastLoad()])
    const rolledBack = { at, reason: 'connections-lost', lost: ['Meter'] }
    expect((await tried()).map(({ isCurrent, rolledBack, by }) => [isCurrent, by?.kind, rolledBack])).toEqual([
      [true, 'device', null],
      [false, 'operator', rolledBack],
      [false, 'operator', rolledBack],
      [false, 'operator', null],
    ])
    const { body } = await asOperator(
      cloud,
      'GET',
      `/api/orgs/${tenant.orgId}/activity?action=commissioning-rolled-back`,
    )
    expect(body.entries).toMatchObject([
      {
        actor: { kind: 'device', id: tenant.deviceId },
        details: { technicalSystem: { name: 'Tried' }, lost: ['Meter'] },
      },
    ])
  })

  test('keeps what was loaded since', async () => {
    await commission(file('bad'))
    const load = lastLoad()
    await commission(file('corrected'))
    saysThatItWentBack([load])
    await eventually(async () => expect((await tried())[1]?.rolledBack).not.toBeNull())
    expect(await hosts()).toEqual(['corrected'])
  })

  test('removes what was new', async () => {
    await commission({ technicalSystem: 'Tried', connections: [] })
    await commission(file('new'))
    saysThatItWentBack([lastLoad()])
    await eventually(async () => expect(await hosts()).toEqual([]))
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
        datapoints: [{ name: 'Valve', accessType: 'WRITE', writeInputData: { min: 0, max: 100 }, data: {}, ...about }],
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
    ['%00', 404],
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

describe('a power limit', () => {
  const { peakShaving: _peakShaving, schedules: _schedules, ...plain } = ROOM
  const loads = [{ datapoint: 'Power', kind: 'modulating', priority: 1, minKw: 0, maxKw: 5 }]
  const powerLimit = { meter: 'Grid', guaranteedKw: 4, loads }
  const cellar = { ...plain, technicalSystem: 'Cellar', powerLimit }

  test('is loaded, and in one system of a controller only', async () => {
    expect((await commission(cellar)).status).toBe(200)
    expect(received.at(-1)?.powerLimit).toMatchObject({ guaranteedKw: 4, meterKwPerUnit: 1 })
    expect((await commission(cellar)).status).toBe(200)
    const count = received.length
    const second = { ...cellar, technicalSystem: 'Attic' }
    const rule =
      'technical system "Cellar" of this controller already has one, and a controller keeps the limits of one connection point: remove powerLimit there first, or here'
    const refused = await commission(second)
    expect(refused).toMatchObject({ status: 400, body: { field: 'powerLimit', message: `powerLimit: ${rule}` } })
    expect((await asOperator(cloud, 'POST', path('commissioning/check'), second)).body.problems).toEqual([
      { path: 'powerLimit', message: rule },
    ])
    expect(received).toHaveLength(count)
    expect((await commission({ ...plain, technicalSystem: 'Cellar' })).status).toBe(200)
    expect((await commission(second)).status).toBe(200)
    for (const technicalSystem of ['Attic', 'Cellar']) {
      expect((await commission({ technicalSystem, connections: [] })).status).toBe(200)
    }
  })
})

describe('a check of a file', () => {
  const check = async (file: object) => {
    const { status, body } = await asOperator(cloud, 'POST', path('commissioning/check'), file)
    expect(status).toBe(200)
    return body as unknown as CommissioningCheck
  }
  const loadOn = (base: string, file: object) => asOperator(cloud, 'PUT', path(`commissioning?base=${base}`), file)
  const changed = { ...ROOM, peakShaving: { ...ROOM.peakShaving, limitKw: 60 } }

  beforeAll(async () => {
    await eventually(async () => expect((await commission(ROOM)).status).toBe(200))
  })
  beforeEach(() => {
    deviceCheck = PASSED
  })

  test('says what is commissioned now and who changed it, and changes nothing', async () => {
    const [before, count] = [await stored(), received.length]
    expect(await check(changed)).toMatchObject({
      problems: [],
      warnings: [],
      held: [],
      device: { checked: true, reason: null },
      before: ROOM,
      lastChange: { at: expect.stringMatching(/^20/), by: { kind: 'operator' } },
    })
    expect(await check({ ...ROOM, technicalSystem: 'Another' })).toMatchObject({ before: null, base: 'none' })
    expect(await stored()).toEqual(before)
    expect(received).toHaveLength(count)
  })

  test('lists the mistakes that the service finds and those of the device, together', async () => {
    const problem = { path: 'connections[0].settings.port', message: 'is missing' }
    const held = [{ connection: 'Inverter', datapoint: 'Power', fields: ['datapoint'] }]
    deviceCheck = { status: 'ok', payload: JSON.stringify({ problems: [problem], held }) }
    const { problems, ...rest } = await check({ ...ROOM, peakShaving: { ...ROOM.peakShaving, meter: 'Gird' } })
    expect(problems).toEqual([{ path: 'peakShaving.meter', message: 'this file has no datapoint "Gird"' }, problem])
    expect(rest.held).toEqual(held)
  })

  test('lists every mistake of the shape', async () => {
    const { problems } = await check({ technicalSystem: 'Room', connections: [1, { name: 7 }], peak: 1 })
    expect(problems.map(({ path }) => path)).toEqual([
      'connections[0]',
      'connections[1].protocol',
      'connections[1].settings',
      'connections[1].datapoints',
      'connections[1].name',
      'peak',
    ])
  })

  test('is one of the service only where the device is too old for it', async () => {
    deviceCheck = { status: 'rejected', payload: 'this device does not know the command checkCommissioning' }
    expect(await check(changed)).toMatchObject({
      problems: [],
      device: { checked: false, reason: 'this device does not know the command checkCommissioning' },
    })
  })

  test.each(['nonsense', 'null', '{}', '{"problems":[{"path":1}],"held":[]}'])(
    'is one of the service only where the device answers %s',
    async (payload) => {
      deviceCheck = { status: 'ok', payload }
      expect(await check(changed)).toMatchObject({ problems: [], device: { checked: false } })
    },
  )

  test('asks the device about what is well-formed, and names its findings by their place in the file', async () => {
    const found = { path: 'connections[0].datapoints[0].data', message: 'needs a register' }
    const held = [{ connection: 'Inverter', datapoint: 'Power', fields: ['datapoint'] }]
    deviceCheck = { status: 'ok', payload: JSON.stringify({ problems: [found], held }) }
    const [inverter] = ROOM.connections
    const connections = [{ ...inverter, datapoints: [{ name: 'Broken' }, ...(inverter?.datapoints ?? [])] }]
    const { problems, held: reported } = await check({ ...ROOM, connections })
    expect(problems.map(({ path }) => path)).toEqual([
      'connections[0].datapoints[0].accessType',
      'connections[0].datapoints[0].data',
      'connections[0].datapoints[1].data',
    ])
    expect(reported).toEqual([])
  })

  test('lets exactly what was checked be loaded: not after somebody else changed it', async () => {
    const { base } = await check(changed)
    expect((await commission({ ...ROOM, schedules: [] })).status).toBe(200)
    const [before, count] = [await stored(), received.length]
    const { status, body } = await loadOn(base, changed)
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.message).toMatch(/^the operator changed Room at 20.*, after you looked at it; nothing was changed: /)
    expect(await stored()).toEqual(before)
    expect(received).toHaveLength(count)
    expect((await loadOn((await check(changed)).base, changed)).status).toBe(200)
    expect((await check(ROOM)).before).toEqual(changed)
  })

  test('of two people at once, one loads and the other gets the conflict', async () => {
    const { base } = await check(ROOM)
    const answers = await Promise.all([loadOn(base, ROOM), loadOn(base, { ...ROOM, schedules: [] })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('the versions of a device', () => {
  const versions = async (query = '') =>
    (await asOperator(cloud, 'GET', path(`commissioning/versions${query}`))).body.versions as CommissioningVersion[]

  test('are who loaded what and when, and any of them can be loaded again', async () => {
    const { headers } = await addPerson(cloud, tenant.orgId, 'installer@example.com', { role: 'admin' })
    const plain = { ...ROOM, technicalSystem: 'Versioned' }
    const later = { ...plain, schedules: [] }
    for (const body of [plain, later, later]) {
      await call(cloud, 'PUT', path('commissioning'), { headers, body })
    }
    const [second, first, ...others] = (await versions()).filter(
      ({ technicalSystem }) => technicalSystem === 'Versioned',
    )
    expect(others).toEqual([])
    const by = { kind: 'person', id: expect.stringMatching(/^usr_/), name: 'installer@example.com' }
    const counts = { connections: 1, datapoints: 3 }
    expect(second).toMatchObject({ by, isCurrent: true, schedules: 0, ...counts, at: expect.stringMatching(/^20/) })
    expect(first).toMatchObject({ by, isCurrent: false, schedules: 1, ...counts })
    expect(await versions(`?technicalSystemId=${first?.technicalSystemId}`)).toEqual([second, first])
    const { body } = await asOperator(cloud, 'GET', path(`commissioning/versions/${first?.version}`))
    expect(body).toEqual(plain)
  })

  test('say which templates they were made from, and how often they were tested', async () => {
    const file = { ...ROOM, technicalSystem: 'From a template' }
    await commission({ ...file, templates: ['eastron-sdm630'] })
    const own = async () => (await versions()).filter(({ technicalSystem }) => technicalSystem === 'From a template')
    const [first] = await own()
    const { body: system } = await asOperator(cloud, 'GET', path(`technical-systems/${first?.technicalSystemId}/file`))
    expect(system.templates).toEqual(['eastron-sdm630'])
    const client = new pg.Client({ connectionString: cloud.config.databaseUrl })
    await client.connect()
    onTestFinished(() => client.end())
    const addTest = (seconds: number, datapointId: string | undefined) =>
      client.query(
        `INSERT INTO output_test (device_id, override_id, datapoint_id, datapoint_name, value, seconds, started_at)
        VALUES ($1, $2, $3, 'Output', 1, 10, $4)`,
        [
          ...[tenant.deviceId, `test ${seconds}`, datapointId],
          new Date(Date.parse(first?.at ?? '') + seconds * 1000).toISOString(),
        ],
      )
    const datapointId = received.at(-1)?.connections[0]?.datapoints[0]?.id
    await addTest(0, datapointId)
    await addTest(-5, datapointId)
    await addTest(0.001, 'dp_of_another_system')
    expect(await own()).toMatchObject([{ templates: ['eastron-sdm630'], tests: 1 }])
    await commission({ ...file, schedules: [] })
    expect(await own()).toMatchObject([
      { templates: ['eastron-sdm630'], tests: 0 },
      { templates: ['eastron-sdm630'], tests: 1 },
    ])
    await commission({ technicalSystem: 'From a template', connections: [] })
    await commission(file)
    expect((await own()).map(({ templates }) => templates)).toEqual([[], [], ['eastron-sdm630'], ['eastron-sdm630']])
  })

  test('stay when the system is removed', async () => {
    expect((await commission({ technicalSystem: 'Versioned', connections: [] })).status).toBe(200)
    const own = (await versions()).filter(({ technicalSystem }) => technicalSystem === 'Versioned')
    expect(own.map(({ connections, isCurrent }) => [connections, isCurrent])).toEqual([
      [0, true],
      [1, false],
      [1, false],
    ])
  })

  test('are bounded in number, the oldest go first', async () => {
    const count = KEPT_VERSIONS.ofSystem + 3
    for (let limitKw = 1; limitKw <= count; limitKw += 1) {
      const peakShaving = { ...ROOM.peakShaving, limitKw }
      await commission({ ...ROOM, technicalSystem: 'Busy', peakShaving })
    }
    const own = (await versions()).filter(({ technicalSystem }) => technicalSystem === 'Busy')
    expect(own).toHaveLength(KEPT_VERSIONS.ofSystem)
    const oldest = await asOperator(cloud, 'GET', path(`commissioning/versions/${own.at(-1)?.version}`))
    expect(oldest.body.peakShaving).toMatchObject({ limitKw: 4 })
    expect((await asOperator(cloud, 'GET', path('commissioning/versions/1'))).status).toBe(200)
  })

  test.each(['0', 'x', '99999', '9999999999'])('do not include %s', async (version) => {
    expect((await asOperator(cloud, 'GET', path(`commissioning/versions/${version}`))).status).toBe(404)
  })

  test('of another organization cannot be read', async () => {
    const other = await addTenant(cloud, 'Curious organization')
    const { headers } = await addPerson(cloud, other.orgId, 'curious@example.com', { role: 'admin' })
    for (const orgId of [tenant.orgId, other.orgId]) {
      for (const rest of ['versions', 'versions/1', 'check']) {
        const url = `/api/orgs/${orgId}/devices/${tenant.deviceId}/commissioning/${rest}`
        const isCheck = rest === 'check'
        const { status } = await call(cloud, isCheck ? 'POST' : 'GET', url, { headers, ...(isCheck && { body: ROOM }) })
        expect(status).toBe(403)
      }
    }
  })
})

describe('a file that changes how things are called or reached', () => {
  const named = (name: string, register = 1) => ({
    technicalSystem: 'Renamed',
    connections: [
      {
        ...{ name: 'Inverter', protocol: 'modbus-tcp', settings: { host: '10.0.0.7' } },
        datapoints: [{ name, accessType: 'READ_WRITE', data: { register } }],
      },
    ],
  })

  test('keeps the id of a renamed datapoint, and lists it in the reply and in a check', async () => {
    const first = await commission(named('Power'))
    const id = received.at(-1)?.connections[0]?.datapoints[0]?.id
    expect(first.body).not.toHaveProperty('matched')
    const matched = [{ path: 'connections[0].datapoints[0]', id, by: 'address', was: 'Power' }]
    const check = await asOperator(cloud, 'POST', path('commissioning/check'), named('Charge power'))
    expect(check.body).toMatchObject({ matched })
    expect((await commission(named('Charge power'))).body).toMatchObject({ matched })
    expect(received.at(-1)?.connections[0]?.datapoints[0]).toMatchObject({ id, name: 'Charge power' })
    const moved = await commission(named('Other', 2))
    expect(moved.body).toMatchObject({ matched: [{ path: 'connections[0].datapoints[0]', by: 'new' }] })
  })

  test('informs the device that it is the same equipment, and keeps that in the activity log only', async () => {
    expect((await commission({ ...named('Power', 3), sameEquipment: true })).status).toBe(200)
    expect(sent.at(-1)).toMatchObject({ sameEquipment: true })
    expect(JSON.stringify(await stored())).not.toContain('sameEquipment')
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity?action=commissioned&limit=1`)
    expect(body).toMatchObject({ entries: [{ details: { sameEquipment: true } }] })
    expect((await commission(named('Power', 3))).status).toBe(200)
    expect(sent.at(-1)).not.toHaveProperty('sameEquipment')
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
