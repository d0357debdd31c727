import { once } from 'node:events'
import { createLog } from '@plantroom/base/log'
import type { RecentValues } from '@plantroom/contract/api'
import type { MeasurementBatch } from '@plantroom/contract/telemetry'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createServer } from '../../platform/http/server.ts'
import { createEventStreams } from '../../platform/streams/event-stream.ts'
import { openStream } from '../../platform/streams/testing/open-stream.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'
import { createBroadcasts } from './broadcasts.ts'
import { broadcastRoutes } from './telemetry-routes.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The last hour of a month, a while ago. */
const START = Date.UTC(2026, 0, 31, 23)

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
let theirs: Tenant
const archived = Array.from({ length: 250 }, (_, index) => ({
  datapointId: 'dp_1',
  at: START + index * MINUTE_MS,
  value: index / 8,
}))
const now = Date.now()
/** One older than 24 hours, two of the last 24 hours, one in the future. */
const recent = [now - 25 * HOUR_MS, now - 23 * HOUR_MS, now - MINUTE_MS, now + HOUR_MS].map((at) => ({
  datapointId: 'dp_recent',
  at,
  value: 1,
}))
const gap = { from: START + 10 * MINUTE_MS, to: START + 20 * MINUTE_MS, dropped: 11 }

/** Gives a device these datapoints. */
async function commission(deviceId: string, datapointIds: readonly string[]): Promise<void> {
  const db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  const document = JSON.stringify({ connections: [{ datapoints: datapointIds.map((id) => ({ id })) }] })
  await db
    .insertInto('technical_system')
    .values({ id: `ts_${deviceId}`, device_id: deviceId, name: 'T', document })
    .execute()
  await db.destroy()
}

/** Resolves when the cloud has confirmed all batches. */
async function archive(tenant: Tenant, batches: readonly unknown[]): Promise<void> {
  const device = await connectDevice(cloud.ready.mqttUrl, tenant)
  const confirmed: string[] = []
  device.client.on('message', (topic) => void confirmed.push(topic))
  for (const batch of batches) {
    const before = confirmed.length
    await device.client.publishAsync(topics.measurements(tenant.deviceId), JSON.stringify(batch), { qos: 1 })
    const { upTo } = batch as MeasurementBatch
    await eventually(() =>
      expect(confirmed.slice(before)).toContain(topics.confirm(tenant.deviceId, 'measurements', upTo)),
    )
  }
  await device.close()
}

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  theirs = await addTenant(cloud, 'Theirs')
  for (const { deviceId } of [ours, theirs]) await commission(deviceId, ['dp_1', 'dp_recent', 'dp_interval'])
  const invalid = { datapointId: 'dp_1', at: Date.UTC(300_000, 0), value: 1 }
  const first = { upTo: 100, measurements: [...archived.slice(0, 100), invalid, null], gaps: [] }
  const second = { upTo: 300, measurements: [...archived.slice(100), ...recent], gaps: [gap] }
  await archive(ours, [first, first, second, second])
  await archive(theirs, [{ upTo: 1, measurements: [{ datapointId: 'dp_1', at: START, value: -1 }], gaps: [] }])
})
afterAll(() => cloud.stop())

const time = (ms: number) => new Date(ms).toISOString()
const path = (query = '', { orgId, deviceId } = ours, datapointId = 'dp_1') =>
  `/api/orgs/${orgId}/devices/${deviceId}/datapoints/${datapointId}/measurements${query}`

interface Page {
  measurements: { at: string; value: number }[]
  gaps: object[]
  nextCursor: string | null
}

async function read(query: string, datapointId = 'dp_1'): Promise<Page> {
  const { status, body } = await asOperator(cloud, 'GET', path(query, ours, datapointId))
  expect(status).toBe(200)
  return body as unknown as Page
}

const formatted = (measurements: readonly { at: number; value: number }[]) =>
  measurements.map(({ at, value }) => ({ at: time(at), value }))
const ALL = `from=${time(START)}&to=${time(START + 24 * HOUR_MS)}`

describe('the measurements of a datapoint', () => {
  test('are listed once, oldest first, across months, although they were sent twice', async () => {
    expect(await read(`?${ALL}`)).toEqual({
      measurements: formatted(archived),
      gaps: [{ from: time(gap.from), to: time(gap.to), dropped: 11 }],
      nextCursor: null,
    })
  })

  test.each([[1], [100], [249], [250], [10_000]])('are complete, each once, on pages of %i', async (limit) => {
    const pages: Page['measurements'][] = []
    let cursor: string | null = ''
    do {
      const page: Page = await read(`?${ALL}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
      pages.push(page.measurements)
      cursor = page.nextCursor
      // Five of the smallest pages are enough.
    } while (cursor !== null && pages.length < 5)
    expect(pages.flat()).toEqual(formatted(archived.slice(0, limit === 1 ? 5 : 250)))
  })

  test('have no next cursor on the last page, even when it is full', async () => {
    expect((await read(`?${ALL}&limit=250`)).nextCursor).toBeNull()
    expect((await read(`?${ALL}&limit=249`)).nextCursor).not.toBeNull()
  })

  test('can be limited to a period', async () => {
    const query = `?from=${time(START + MINUTE_MS)}&to=${time(START + 3 * MINUTE_MS)}`
    expect(await read(query)).toEqual({ measurements: formatted(archived.slice(1, 3)), gaps: [], nextCursor: null })
  })

  test('cover the last 24 hours by default', async () => {
    expect((await read('', 'dp_recent')).measurements).toEqual(formatted(recent.slice(1, 3)))
  })

  test('cover the 24 hours before the end when there is no start', async () => {
    const query = `?to=${time(START + 24 * HOUR_MS + MINUTE_MS)}`
    expect((await read(query)).measurements).toEqual(formatted(archived.slice(1)))
  })

  test('are empty for periods without measurements, however distant', async () => {
    const nothing = { measurements: [], gaps: [], nextCursor: null }
    expect(await read('?from=0000-01-01T00:00:00Z&to=1970-01-01T00:00:00Z')).toEqual(nothing)
    expect(await read('?from=9999-01-01T00:00:00Z&to=9999-12-31T23:59:59Z')).toEqual(nothing)
    expect((await read(`?${ALL}&cursor=999999999999999999`)).measurements).toEqual([])
    expect((await read(`?${ALL}`, 'dp_none')).measurements).toEqual([])
  })

  test('are separate from another device with the same datapoint id', async () => {
    const { body } = await asOperator(cloud, 'GET', path(`?${ALL}`, theirs))
    expect(body).toEqual({ measurements: [{ at: time(START), value: -1 }], gaps: [], nextCursor: null })
  })

  test.each([
    ['limit=0', 'limit', 'at least 1'],
    ['limit=10001', 'limit', 'at most 10000'],
    ['limit=many', 'limit', 'type integer'],
    ['from=2026-01-31', 'from', 'with a zone'],
    ['to=now', 'to', 'with a zone'],
    ['cursor=next', 'cursor', 'nextCursor of an earlier answer'],
  ])('%s answers 400 and names the field', async (query, field, message) => {
    const { status, body } = await asOperator(cloud, 'GET', path(`?${query}`))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'INVALID', field, message: expect.stringContaining(message) })
  })

  test('of a datapoint id with U+0000 answer 404', async () => {
    expect((await asOperator(cloud, 'GET', path('', ours, 'a%00b'))).body).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('are counted once in the metrics', async () => {
    const { body } = await call(cloud, 'GET', '/metrics')
    const stored = archived.length + recent.length + 1
    expect(body.text).toContain(`plantroom_measurements_stored_total ${stored}\n`)
    expect(body.text).toContain('plantroom_reports_stored_total 0\n')
  })
})

describe('downsampled measurements', () => {
  const HOURS = [0, 1, 2, 3, 4].map((hour) => archived.slice(hour * 60, hour * 60 + 60).map(({ value }) => value))
  const points = HOURS.map((values, hour) => ({
    at: time(START + hour * HOUR_MS),
    min: values[0],
    mean: values.reduce((sum, value) => sum + value) / values.length,
    max: values.at(-1),
    last: values.at(-1),
    count: values.length,
    coverage: null,
  }))
  const gaps = [{ from: time(gap.from), to: time(gap.to), dropped: 11 }]

  test('have the lowest, mean and highest value of each step, aligned to whole steps, and the gaps', async () => {
    expect(await read(`?${ALL}&step=3600`)).toEqual({ step: 3600, points, gaps })
    const off = `from=${time(START + 1)}&to=${time(START + 5 * HOUR_MS - 1)}`
    expect(await read(`?${off}&step=3600`)).toEqual({ step: 3600, points, gaps })
  })

  test('have at most as many points as asked for', async () => {
    expect(await read(`?${ALL}&points=24`)).toMatchObject({ step: 3600, points })
    expect(await read(`?${ALL}&points=1440`)).toMatchObject({ step: 60, points: { length: 250 } })
    expect(await read(`?${ALL}&points=5000`)).toMatchObject({ step: 30, points: { length: 250 } })
  })

  test('are empty for periods and datapoints without measurements', async () => {
    const nothing = { points: [], gaps: [] }
    expect(await read('?from=0000-01-01T00:00:00Z&to=1970-01-01T00:00:00Z&points=10')).toMatchObject(nothing)
    expect(await read('?from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59Z&points=10', 'dp_none')).toMatchObject({
      points: [],
    })
    expect(await read(`?from=${time(START)}&to=${time(START - 1)}&step=1`)).toMatchObject(nothing)
  })

  test.each([
    ['points=1', 'points', 'at least 2'],
    ['points=5001', 'points', 'at most 5000'],
    ['step=0', 'step', 'at least 1'],
    ['step=1.5', 'step', 'type integer'],
    ['step=60&points=60', 'step', 'send only one of points and step'],
    [`from=${time(START)}&to=${time(START + 365 * 24 * HOUR_MS)}&step=60`, 'step', 'ask for a step of 7200'],
    ['format=xlsx', 'format', 'one of'],
  ])('%s answers 400 and names the field', async (query, field, message) => {
    const { status, body } = await asOperator(cloud, 'GET', path(`?${query}`))
    expect([status, body]).toMatchObject([400, { code: 'INVALID', field, message: expect.stringContaining(message) }])
  })

  test('and single values can be had as CSV, whole', async () => {
    const csv = async (query: string) => (await asOperator(cloud, 'GET', path(`?${ALL}&format=csv${query}`))).body.text
    const lines = String(await csv('&limit=10')).split('\r\n')
    expect(lines.slice(0, 3)).toEqual([
      'at,value,mean,min,max,seconds,coverage,energyKwh,quality',
      `${time(START)},0,,,,,,,samples`,
      `${time(START + MINUTE_MS)},0.125,,,,,,,samples`,
    ])
    expect(lines).toHaveLength(252)
    const first = points[0]
    expect(
      String(await csv('&step=3600'))
        .split('\r\n')
        .slice(0, 2),
    ).toEqual([
      'at,min,mean,max,count,last,coverage,energyKwh,quality',
      `${first?.at},0,${first?.mean},${first?.max},60,${first?.last},,,samples`,
    ])
  })
})

describe('archived intervals', () => {
  const from = START - 24 * HOUR_MS
  const quarter = { value: 2, seconds: 900, mean: 1.5, min: 0, max: 3, coverage: 100, energyKwh: 0.375 }
  const partial = { ...quarter, mean: 3, coverage: 50 }
  const at = (index: number) => from + index * 900_000

  beforeAll(async () => {
    const invalid = [{ coverage: 0 }, { mean: 4 }, { min: Number.NaN }, { seconds: 0.5 }, { energyKwh: 'much' }]
    const measurements = [
      { datapointId: 'dp_interval', at: at(1), ...quarter },
      { datapointId: 'dp_interval', at: at(4), ...partial },
      ...invalid.map((wrong) => ({ datapointId: 'dp_interval', at: at(2), ...quarter, ...wrong })),
    ]
    await archive(ours, [{ upTo: 400, measurements, gaps: [] }])
  })

  const ask = (query: string) => read(`?from=${time(from)}&to=${time(from + 2 * HOUR_MS)}${query}`, 'dp_interval')

  test('are listed with all that was seen of them', async () => {
    const measurements = [
      { at: time(at(1)), ...quarter },
      { at: time(at(4)), ...partial },
    ]
    expect(await ask('')).toMatchObject({ measurements })
  })

  test('belong to the step in which they begin, by the time that they cover', async () => {
    const hour = { min: 0, mean: 2, max: 3, last: 2, count: 2, coverage: 38, energyKwh: 0.75 }
    expect(await ask('&step=3600')).toMatchObject({ points: [{ at: time(from), ...hour }] })
    const quarters = await ask('&step=900')
    expect(quarters).toMatchObject({
      points: [
        { at: time(from), mean: 1.5, coverage: 100 },
        { at: time(at(3)), mean: 3, coverage: 50 },
      ],
    })
  })

  test('have their quality in CSV', async () => {
    const query = `?from=${time(from)}&to=${time(from + 2 * HOUR_MS)}&format=csv`
    const { body } = await asOperator(cloud, 'GET', path(query).replace('dp_1', 'dp_interval'))
    expect(String(body.text).split('\r\n').slice(1, 3)).toEqual([
      `${time(at(1))},2,1.5,0,3,900,100,0.375,complete`,
      `${time(at(4))},2,3,0,3,900,50,0.375,partial`,
    ])
  })
})

describe('access to measurements', () => {
  const key = async (orgId: string, siteIds: string[] | null = null) =>
    (await createKey(cloud, orgId, ['edge-device:read_write'], siteIds)).apiKey
  const ask = async (apiKey: string, tenant: Tenant) =>
    (await call(cloud, 'GET', path(`?${ALL}`, tenant), { headers: { 'x-api-key': apiKey } })).status

  test('is granted to a key for the site of the device', async () => {
    expect(await ask(await key(ours.orgId, [ours.siteId]), ours)).toBe(200)
  })

  test('is refused to a key for another site or organization', async () => {
    const site = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/sites`, { name: 'Annex' })
    expect(await ask(await key(ours.orgId, [String(site.body.id)]), ours)).toBe(403)
    const foreign = await key(theirs.orgId)
    expect(await ask(foreign, ours)).toBe(403)
    expect(await ask(foreign, { ...ours, orgId: theirs.orgId })).toBe(403)
    for (const query of ['points=10', 'step=60', 'format=csv', 'points=10&format=csv']) {
      const headers = { 'x-api-key': foreign }
      const answers = [ours, { ...ours, orgId: theirs.orgId }, { ...ours, deviceId: 'dev_none' }].map((tenant) =>
        call(cloud, 'GET', path(`?${ALL}&${query}`, tenant), { headers }),
      )
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 403, 403])
    }
  })

  test('is granted to the operator only under the organization of the device', async () => {
    const { status } = await asOperator(cloud, 'GET', path(`?${ALL}`, { ...ours, orgId: theirs.orgId }))
    expect(status).toBe(404)
  })
})

describe('the last hour of several datapoints', () => {
  const ask = (datapoints: string, { orgId, siteId } = ours) =>
    asOperator(cloud, 'GET', `/api/orgs/${orgId}/sites/${siteId}/recent-values?datapoints=${datapoints}`)

  test('is one answer with a mean for every step, in the order of the question', async () => {
    const { deviceId } = ours
    const { status, body } = await ask(`${deviceId}/dp_recent,${deviceId}/dp_1`)
    expect(status).toBe(200)
    const { from, step, series } = body as unknown as RecentValues
    expect(series.map(({ datapointId }) => datapointId)).toEqual(['dp_recent', 'dp_1'])
    // Of a minute before the test began.
    const place = Math.floor((now - MINUTE_MS - Date.parse(from)) / (step * 1000))
    expect(series[0]?.means.flatMap((mean, at) => (mean === null ? [] : [[at, mean]]))).toEqual([[place, 1]])
    expect(new Set(series[1]?.means)).toEqual(new Set([null]))
    expect(series[1]?.means.length).toBe(series[0]?.means.length)
  })

  test('has no devices of other sites and organizations', async () => {
    const site = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/sites`, { name: 'Other' })
    const other = { ...ours, siteId: String(site.body.id) }
    expect((await ask(`${ours.deviceId}/dp_1`, other)).status).toBe(404)
    expect((await ask(`${theirs.deviceId}/dp_1`)).status).toBe(404)
  })

  test('refuses what is no list of datapoints, and too many', async () => {
    for (const wrong of ['dp_1', '/dp_1', 'dev/', '', Array.from({ length: 51 }, (_, at) => `d/${at}`).join(',')]) {
      expect((await ask(wrong)).status).toBe(400)
    }
  })
})

const PATH = '/api/orgs/org/devices/dev_1/broadcasts'
const value = { value: 21.5, timestamp: '2026-01-31T12:00:00.000Z' }
const EVENT = `event: values\ndata: ${JSON.stringify({ values: { dp_1: value } })}\n\n`

async function start() {
  const clock = createManualClock()
  const broadcasts = createBroadcasts()
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  const findDevice = (deviceId: string) =>
    deviceId === 'dev_1' ? { organizationId: 'org', siteId: 'site' } : undefined
  broadcastRoutes(app, { broadcasts, findDevice, streams: createEventStreams(app, { clock }) })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const send = (values: object = { dp_1: value }) =>
    broadcasts.receive('dev_1', Buffer.from(JSON.stringify({ values })))
  return { clock, broadcasts, app, base, url: base + PATH, send }
}

describe('a stream of broadcasts', () => {
  test('starts immediately and sends every broadcast as an event', async () => {
    const { url, send } = await start()
    const stream = await openStream(url)
    expect(stream.response.statusCode).toBe(200)
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    send()
    send()
    await eventually(() => expect(stream.text()).toBe(`:\n\n${EVENT}${EVENT}`))
  })

  test('leaves no timer behind when its reader disconnects', async () => {
    const { url, clock, send } = await start()
    const stream = await openStream(url)
    expect(clock.waiting()).toHaveLength(1)
    stream.request.destroy()
    await eventually(() => expect(clock.waiting()).toEqual([]))
    send()
  })

  test('does not answer HEAD, which would never end', async () => {
    const { url } = await start()
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404)
  })

  test.each([
    ['an unknown device', '/api/orgs/org/devices/dev_2/broadcasts'],
    ['a device of another organization', '/api/orgs/other/devices/dev_1/broadcasts'],
  ])('answers 404 for %s', async (_what, path) => {
    const { base } = await start()
    expect((await fetch(base + path)).status).toBe(404)
  })
})

describe('a broadcast of a device', () => {
  test('reaches the operator through the whole cloud, and the stream ends when the cloud stops', async () => {
    const cloud = await startTestCloud()
    let running = true
    const stop = async () => {
      if (running) await cloud.stop()
      running = false
    }
    onTestFinished(stop)
    const tenant = await addTenant(cloud, 'Organization')
    const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/broadcasts`
    const stream = await openStream(cloud.ready.baseUrl + path, { authorization: `Bearer ${cloud.ready.adminToken}` })
    const device = await connectDevice(cloud.ready.mqttUrl, tenant)
    device.client.publish(topics.broadcast(tenant.deviceId), JSON.stringify({ values: { dp_1: value } }))
    await eventually(() => expect(stream.text()).toContain(EVENT))
    await device.close()
    expect((await asOperator(cloud, 'GET', '/api/orgs')).status).toBe(200)
    await Promise.all([once(stream.response, 'end'), stop()])
  })

  test('does not reach followers of another organization', async () => {
    const cloud = await startTestCloud()
    onTestFinished(() => cloud.stop())
    const [ours, theirs] = [await addTenant(cloud, 'Ours'), await addTenant(cloud, 'Theirs')]
    const path = (orgId: string, deviceId: string) => `/api/orgs/${orgId}/devices/${deviceId}/broadcasts`
    const { headers } = await addPerson(cloud, ours.orgId, 'eve@example.com', { role: 'admin' })
    const stream = await openStream(cloud.ready.baseUrl + path(ours.orgId, ours.deviceId), { cookie: headers.cookie })
    for (const tenant of [theirs, ours]) {
      const device = await connectDevice(cloud.ready.mqttUrl, tenant)
      const values = { [`dp_of_${tenant.orgId}`]: value }
      await device.client.publishAsync(topics.broadcast(tenant.deviceId), JSON.stringify({ values }), { qos: 1 })
      await device.close()
    }
    await eventually(() => expect(stream.text()).toContain(`dp_of_${ours.orgId}`))
    expect(stream.text()).not.toContain(theirs.orgId)
    for (const orgId of [ours.orgId, theirs.orgId]) {
      expect((await call(cloud, 'GET', path(orgId, theirs.deviceId), { headers })).status).toBe(403)
    }
  })
})
