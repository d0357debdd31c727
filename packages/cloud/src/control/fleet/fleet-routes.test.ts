import { randomUUID } from 'node:crypto'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addPerson, type SignedInHeaders } from '../../organization/access/testing/people.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { openStream } from '../../platform/streams/testing/open-stream.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice, type TestDevice } from '../../testing/device.ts'
import { targetReqId } from './plan.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
let theirs: Tenant
/** A second site of ours, with a controller. */
let annex: Tenant
const devices: TestDevice[] = []
/** What the controllers of ours received, by device. */
const received: { deviceId: string; command: string; envelope: Record<string, unknown> }[] = []
const keys: Record<'ours' | 'other' | 'onSite' | 'theirs', { id: string; apiKey: string }> = {} as never
const people: Record<'onSite' | 'everywhere', SignedInHeaders> = {} as never
const ids: Record<'battery' | 'valve' | 'meter' | 'annexBattery' | 'foreign', string> = {} as never

const FILE = {
  technicalSystem: 'Room',
  connections: [
    {
      name: 'Inverter',
      protocol: 'modbus-tcp',
      settings: {},
      datapoints: [
        {
          ...{ name: 'Battery', accessType: 'READ_WRITE', unit: 'kW', tags: ['battery.charge-power'], data: {} },
          ...{ writeInputData: { min: -50, max: 50 }, failsafe: { reversion: 'Reverts', seconds: 60 } },
        },
        { name: 'Valve', accessType: 'WRITE', releaseValue: 0, data: {} },
        { name: 'Meter', accessType: 'READ', tags: ['battery.charge-power'], data: {} },
        { name: 'Reverts', accessType: 'WRITE', tags: ['battery.charge-power'], data: {} },
      ],
    },
  ],
}

async function commissioned(tenant: Tenant): Promise<string[]> {
  const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/commissioning`
  const { body } = await asOperator(cloud, 'PUT', path, FILE)
  return (body.connections as { datapoints: { id: string }[] }[]).flatMap(({ datapoints }) =>
    datapoints.map(({ id }) => id),
  )
}

async function connect(tenant: Tenant): Promise<void> {
  let placed = 0
  const { deviceId } = tenant
  devices.push(
    await connectDevice(cloud.ready.mqttUrl, tenant, (command, envelope) => {
      received.push({ deviceId, command, envelope })
      placed += 1
      const reply = command === 'demandResponseOverride' ? { id: `ovr_${deviceId}_${placed}` } : { cancelled: [] }
      return { status: 'ok', payload: JSON.stringify(reply) }
    }),
  )
}

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  theirs = await addTenant(cloud, 'Theirs')
  const { orgId } = ours
  const site = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/sites`, { name: 'Annex' })
  const siteId = String(site.body.id)
  const added = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/devices`, { name: 'Annex', siteId })
  annex = { orgId, siteId, deviceId: String(added.body.id), deviceSecret: String(added.body.secret) }
  for (const tenant of [ours, theirs, annex]) await connect(tenant)
  await eventually(async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${orgId}/devices`)
    expect(body.devices).toMatchObject([{ online: true }, { online: true }])
    const other = await asOperator(cloud, 'GET', `/api/orgs/${theirs.orgId}/devices`)
    expect(other.body.devices).toMatchObject([{ online: true }])
  })
  const own = await commissioned(ours)
  Object.assign(ids, { battery: own[0], valve: own[1], meter: own[2] })
  ids.annexBattery = (await commissioned(annex))[0] ?? ''
  ids.foreign = (await commissioned(theirs))[0] ?? ''
  const writes = ['edge-device:read_write']
  keys.ours = await createKey(cloud, orgId, writes)
  keys.other = await createKey(cloud, orgId, writes)
  keys.onSite = await createKey(cloud, orgId, writes, [ours.siteId])
  keys.theirs = await createKey(cloud, theirs.orgId, writes)
  const onSite = { sites: [{ siteId: ours.siteId, role: 'manager' as const }] }
  people.onSite = (await addPerson(cloud, orgId, 'site@example.com', onSite)).headers
  people.everywhere = (await addPerson(cloud, orgId, 'admin@example.com', { role: 'admin' })).headers
})
afterAll(async () => {
  for (const device of devices) await device.close()
  await cloud?.stop()
})

const headersOf = (key: keyof typeof keys): Record<string, string> => ({ 'x-api-key': keys[key].apiKey })
const operator = (): Record<string, string> => ({ authorization: `Bearer ${cloud.ready.adminToken}` })
const keyOnSite = () => headersOf('onSite')
const inFuture = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const bodyOf = (about: object = {}) => ({
  ...{ idempotencyKey: randomUUID(), select: { tags: ['battery.charge-power'] }, value: 0 },
  ...{ to: inFuture(900), deadline: inFuture(30), ...about },
})
const send = (about: object, headers: Record<string, string> = headersOf('ours'), orgId = ours.orgId) =>
  call(cloud, 'POST', `/api/orgs/${orgId}/dispatches`, { headers, body: bodyOf(about) })
const path = (id: unknown, orgId = ours.orgId) => `/api/orgs/${orgId}/dispatches/${id}`
const get = (id: unknown, headers = headersOf('ours'), query = '') => call(cloud, 'GET', path(id) + query, { headers })
const started = async (about: object = {}, headers = headersOf('ours')) => {
  const { status, body } = await send(about, headers)
  expect([status, body.id]).toEqual([202, expect.stringMatching(/^dsp_/)])
  return String(body.id)
}
const completed = (id: string, headers = headersOf('ours')) =>
  eventually(async () => {
    const { body } = await get(id, headers)
    expect(body.state).toBe('completed')
    return body as { counts: object; outcomes: { deviceId: string; datapointId: string; value: number }[] }
  })
const reached = async (about: object, headers = headersOf('ours')) =>
  (await completed(await started(about, headers), headers)).outcomes.map(({ datapointId }) => datapointId).toSorted()

describe('a selection', () => {
  test('by tag reaches writable datapoints of the organization, and no register of a failsafe', async () => {
    expect(await reached({})).toEqual([ids.battery, ids.annexBattery].toSorted())
  })

  test('reaches only the sites of a key, and of a manager', async () => {
    expect(await reached({}, keyOnSite())).toEqual([ids.battery])
    expect(await reached({}, people.onSite)).toEqual([ids.battery])
  })

  test('has parts that narrow each other', async () => {
    const tags = ['nothing', 'battery.charge-power']
    expect(await reached({ select: { tags, deviceIds: [annex.deviceId] } })).toEqual([ids.annexBattery])
    expect(await reached({ select: { tags, siteIds: [ours.siteId] } })).toEqual([ids.battery])
    expect(await reached({ select: { datapointIds: [ids.valve, ids.annexBattery], siteIds: [ours.siteId] } })).toEqual([
      ids.valve,
    ])
  })

  test.each<[string, () => object]>([
    ['a device of another organization', () => ({ deviceIds: [theirs.deviceId] })],
    ['a device that does not exist', () => ({ deviceIds: ['dev_none'] })],
    ['a device of another site', () => ({ deviceIds: [annex.deviceId] })],
    ['a site of another organization', () => ({ siteIds: [theirs.siteId] })],
    ['a site that does not exist', () => ({ siteIds: ['site_none'] })],
    ['another site', () => ({ siteIds: [annex.siteId] })],
    ['a datapoint of another organization', () => ({ datapointIds: [ids.foreign] })],
    ['a datapoint of another site', () => ({ datapointIds: [ids.annexBattery] })],
    ['a datapoint that is only read', () => ({ datapointIds: [ids.meter] })],
    ['a datapoint that does not exist', () => ({ datapointIds: ['dp_none', ids.battery] })],
  ])('of %s is refused like one that does not exist', async (_what, select) => {
    for (const headers of [keyOnSite(), people.onSite]) {
      const { status, body } = await send({ select: select() }, headers)
      const [[part, [named]]] = Object.entries(select()) as [[string, [string]]]
      expect([status, body.field]).toEqual([400, `select.${part}`])
      expect(String(body.message).replace(named, 'X')).toMatch(
        /^there is no (device|site|writable datapoint) X that you may control: check the id, and the sites you have access to$/,
      )
    }
  })

  test.each<[string, object, RegExp]>([
    ['that is empty', { select: {} }, /^select is empty: name deviceIds, siteIds, tags or datapointIds$/],
    ['with a misspelt part', { select: { tag: ['battery.charge-power'] } }, /tag/],
    ['that matches nothing', { select: { tags: ['nothing'] } }, /no writable datapoint that you may control matches/],
    ['of a whole controller with several datapoints', { select: { siteIds: ['OURS'] } }, /several writable datapoints/],
    ['without a value', { value: undefined }, /send either value/],
    ['with a value and a total', { totalKw: 5 }, /send either value/],
    ['with a total beyond the capacity', { value: undefined, totalKw: 101 }, /exceeds the commissioned capacity/],
    ['with a deadline after its end', { deadline: '2099-01-01T00:00:00Z' }, /deadline must not be after to/],
    ['with a time without a zone', { to: '2030-01-01T00:00:00' }, /to/],
  ])('%s answers 400', async (_what, about, message) => {
    const text = JSON.stringify(about).replace('OURS', ours.siteId)
    const before = received.length
    // Without what JSON cannot say.
    expect(await send({ ...about, ...JSON.parse(text) })).toMatchObject({
      ...{ status: 400, body: { message: expect.stringMatching(message) } },
    })
    expect(received).toHaveLength(before)
  })
})

async function addWebhook({ orgId }: Tenant, about: object = {}): Promise<string> {
  const webhook = { url: 'https://receiver.example/', types: ['dispatch.completed'], ...about }
  return String((await asOperator(cloud, 'POST', `/api/orgs/${orgId}/webhooks`, webhook)).body.id)
}

async function reportedTo(webhookId: string): Promise<object[]> {
  const db = openDatabase({ connectionString: String(cloud.config.databaseUrl) }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  const deliveries = db.selectFrom('webhook_delivery').where('webhook_id', '=', webhookId).orderBy('position')
  const events = deliveries.innerJoin('webhook_event as event', 'event.id', 'event_id').select(['type', 'data'])
  return (await events.execute()).map(({ type, data }) => ({ type, ...JSON.parse(data) }))
}

describe('a dispatch', () => {
  test('is placed under the caller, with a share of the total each', async () => {
    const earlier = await started()
    await completed(earlier)
    const before = received.length
    const id = await started({ value: undefined, totalKw: 10.001, reason: 'grid alarm' })
    const { counts, outcomes } = await completed(id)
    expect(counts).toMatchObject({ accepted: 2, pending: 0 })
    expect(outcomes.map(({ value }) => value)).toEqual([5.001, 5])
    const sent = received.slice(before)
    expect(sent.map(({ envelope }) => [envelope.keyId, envelope.callerName])).toEqual([
      [keys.ours.id, 'Key'],
      [keys.ours.id, 'Key'],
    ])
    const listed = await call(cloud, 'GET', `/api/orgs/${ours.orgId}/dispatches?limit=1`, {
      headers: headersOf('ours'),
    })
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(listed.body.dispatches).toEqual([
      {
        ...{ id, state: 'completed', placedBy: { id: keys.ours.id, name: 'Key' }, reason: 'grid alarm' },
        ...{ totalKw: 10.001, value: null, staggerSeconds: 0, releasing: 0 },
        counts: { accepted: 2, refused: 0, offline: 0, expired: 0, pending: 0, cancelled: 0 },
        ...{ from: time, to: time, deadline: time, createdAt: time, endedAt: time },
      },
    ])
    const query = `?limit=1&cursor=${listed.body.nextCursor}`
    const older = await call(cloud, 'GET', `/api/orgs/${ours.orgId}/dispatches${query}`, { headers: headersOf('ours') })
    expect(older.body.dispatches).toMatchObject([{ id: earlier }])
  })

  test('is the same for the same key of the same caller, and a conflict with another body', async () => {
    const about = bodyOf()
    const id = await started(about)
    expect(await started(about)).toBe(id)
    const conflict = await send({ ...about, value: 1 })
    expect([conflict.status, conflict.body.code, conflict.body.field]).toEqual([409, 'CONFLICT', 'idempotencyKey'])
    expect(await started(about, headersOf('other'))).not.toBe(id)
    const together = bodyOf()
    const all = await Promise.all(Array.from({ length: 5 }, () => started(together)))
    expect(new Set(all).size).toBe(1)
  })

  test('has pages of outcomes, and filters them', async () => {
    const id = await started()
    await completed(id)
    const first = (await get(id, headersOf('ours'), '?limit=1')).body
    const battery = { deviceName: expect.any(String), datapointName: 'Battery', unit: 'kW', value: 0, reason: null }
    const [{ deviceId, datapointId }] = first.outcomes as [{ deviceId: string; datapointId: string }]
    expect(first.outcomes).toEqual([
      {
        ...{ ...battery, deviceId, datapointId, siteId: expect.any(String), outcome: 'accepted', release: null },
        ...{ overrideId: expect.stringContaining(`ovr_${deviceId}_`), reqId: targetReqId(id, datapointId) },
        ...{ from: expect.any(String), to: first.to, settledAt: expect.any(String) },
      },
    ])
    const second = (await get(id, headersOf('ours'), `?limit=1&cursor=${first.nextCursor}`)).body
    expect([(second.outcomes as unknown[]).length, second.nextCursor]).toEqual([1, null])
    expect((await get(id, headersOf('ours'), '?outcome=refused')).body.outcomes).toEqual([])
  })

  test('is cancelled on every controller, once, and the log says who did both', async () => {
    const id = await started()
    await completed(id)
    const before = received.length
    const cancel = () => call(cloud, 'DELETE', path(id), { headers: headersOf('ours') })
    expect((await cancel()).body).toMatchObject({ id, state: 'cancelled', counts: { cancelled: 2, accepted: 0 } })
    await eventually(async () => expect((await get(id)).body.releasing).toBe(0))
    const sent = received.slice(before)
    expect(sent.map(({ command }) => command)).toEqual(['cancelOverridesByReqId', 'cancelOverridesByReqId'])
    expect((await cancel()).body).toMatchObject({ state: 'cancelled' })
    const log = await asOperator(cloud, 'GET', `/api/orgs/${ours.orgId}/activity?subject=${id}`)
    const actor = { kind: 'key', id: keys.ours.id, name: 'Key' }
    const both = { actor, subject: { kind: 'dispatch', id, name: id }, siteId: null }
    expect(log.body.entries).toMatchObject([
      { ...both, action: 'dispatch-cancelled', details: {} },
      { ...both, action: 'dispatch-started', details: { datapoints: 2, value: 0 } },
    ])
  })

  test('is cancelled under the name of who does it', async () => {
    const id = await started({}, people.everywhere)
    expect((await get(id, people.everywhere)).body.placedBy).toEqual({
      id: expect.stringMatching(/^user:/),
      name: 'admin@example.com',
    })
    await completed(id, people.everywhere)
    const before = received.length
    await call(cloud, 'DELETE', path(id), { headers: operator() })
    await eventually(() => expect(received).toHaveLength(before + 2))
    const callers = received.slice(before).map(({ envelope }) => [envelope.keyId, envelope.callerName])
    expect(callers).toEqual(Array(2).fill(['operator', 'Operator']))
  })

  test('on one site is in the log of that site', async () => {
    const id = await started({ select: { datapointIds: [ids.annexBattery] } })
    const log = await asOperator(cloud, 'GET', `/api/orgs/${ours.orgId}/activity?subject=${id}`)
    expect(log.body.entries).toMatchObject([{ action: 'dispatch-started', siteId: annex.siteId }])
  })

  test('is followed until it has ended', async () => {
    const id = await started()
    const response = await fetch(`${cloud.ready.baseUrl}${path(id)}/events`, { headers: headersOf('ours') })
    const text = await response.text()
    expect(text).toMatch(/event: ended\ndata: \{"id":"dsp_.*"state":"completed","counts":\{"accepted":2,/)
  })

  test('that ends is reported to webhooks: to those of one site only when it was on that site alone', async () => {
    const [all, annexOnly] = [await addWebhook(ours), await addWebhook(ours, { siteIds: [annex.siteId] })]
    const onBoth = await started()
    await completed(onBoth)
    const onAnnex = await started({ select: { datapointIds: [ids.annexBattery] } })
    await completed(onAnnex)
    const ended = { type: 'dispatch.completed', state: 'completed' }
    const annexEnded = { ...ended, dispatchId: onAnnex, counts: { accepted: 1 } }
    expect(await reportedTo(all)).toMatchObject([{ ...ended, dispatchId: onBoth, counts: { accepted: 2 } }, annexEnded])
    expect(await reportedTo(annexOnly)).toMatchObject([annexEnded])
  })

  test('that is cancelled is reported as cancelled if it was running, and no second time', async () => {
    const silent = await addTenant(cloud, 'Silent')
    await connect(silent)
    await eventually(async () => {
      const { body } = await asOperator(cloud, 'GET', `/api/orgs/${silent.orgId}/devices`)
      expect(body.devices).toMatchObject([{ online: true }])
    })
    await commissioned(silent)
    // From now on its controller does not answer.
    await devices.pop()?.close()
    const { apiKey } = await createKey(cloud, silent.orgId, ['edge-device:read_write'])
    const headers = { 'x-api-key': apiKey }
    const webhook = await addWebhook(silent)
    const { id } = (await send({}, headers, silent.orgId)).body
    const followed = await openStream(`${cloud.ready.baseUrl}${path(id, silent.orgId)}/events`, headers)
    const running = { event: 'progress', data: { id, state: 'running', counts: { pending: 1 }, releasing: 0 } }
    for (let count = 0; count < 2; count += 1) await call(cloud, 'DELETE', path(id, silent.orgId), { headers })
    const ended = { event: 'ended', data: { id, state: 'cancelled', counts: { cancelled: 1, pending: 0 } } }
    await eventually(() => expect(followed.events()).toMatchObject([running, ended]))
    const cancelled = { type: 'dispatch.completed', dispatchId: id, state: 'cancelled' }
    expect(await reportedTo(webhook)).toMatchObject([{ ...cancelled, counts: { cancelled: 1, pending: 0 } }])
  })

  test('outside the envelope needs a recent proof from people, and none from keys', async () => {
    const db = openDatabase({ connectionString: String(cloud.config.databaseUrl) }, createLog('test', 'silent'))
    onTestFinished(() => db.destroy())
    await db
      .updateTable('user_session')
      .set({ verified_at: new Date(0) })
      .execute()
    const inside = await send({ value: 50 }, people.everywhere)
    const outside = await send({ value: 50.5 }, people.everywhere)
    expect([inside.status, outside.status, outside.body.code]).toEqual([202, 403, 'RECENT_SIGN_IN_REQUIRED'])
    await completed(String(inside.body.id), people.everywhere)
    await completed(await started({ value: 50.5 }))
  })
})

describe('a body that means harm', () => {
  test.each<[string, number, string]>([
    ['an infinite value', 400, '"value":1e999'],
    ['an infinite total', 400, '"totalKw":1e999'],
    ['a negative stagger', 400, '"value":1,"staggerSeconds":-1'],
    ['a stagger of years', 400, '"value":1,"staggerSeconds":1e12'],
    ['a character that no column stores', 400, '"value":1,"reason":"\\u0000"'],
    ['a tag that is no word', 400, '"value":1,"select":{"tags":["%"]}'],
    ['a selector that is a list', 400, '"value":1,"select":[]'],
    [
      'more ids than a dispatch has',
      400,
      `"value":1,"select":{"deviceIds":${JSON.stringify(Array(10_001).fill('d'))}}`,
    ],
    ['more than a megabyte', 413, `"value":1,"reason":"${'x'.repeat(1_100_000)}"`],
  ])('with %s is refused with %i, and nothing is sent', async (_what, status, text) => {
    const { value: _value, ...rest } = bodyOf()
    const raw = `${JSON.stringify(rest).slice(0, -1)},${text}}`
    const before = received.length
    const headers = headersOf('ours')
    expect((await call(cloud, 'POST', `/api/orgs/${ours.orgId}/dispatches`, { headers, raw })).status).toBe(status)
    expect(received).toHaveLength(before)
  })

  test('beyond the quota of the organization is refused, with the time to come back; another one is not', async () => {
    const db = openDatabase({ connectionString: String(cloud.config.databaseUrl) }, createLog('test', 'silent'))
    onTestFinished(() => db.destroy())
    const id = await started()
    await completed(id)
    const now = Date.now()
    const open = db
      .selectFrom('fleet_dispatch')
      .where('organization_id', '=', ours.orgId)
      .where('to_at', '>', new Date())
    const others = (await open.where('id', '<>', id).select('targets').execute()).reduce(
      (sum, one) => sum + one.targets,
      0,
    )
    // Room for one more that selects two datapoints.
    await db
      .updateTable('fleet_dispatch')
      .set({ targets: 249_998 - others })
      .where('id', '=', id)
      .execute()
    await completed(await started())
    const refused = await send({})
    expect([refused.status, refused.body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
    expect(refused.body.message).toContain(
      'limit of 250000 datapoints in fleet dispatches and power limits that are not over',
    )
    const { next } = await open.select(({ fn }) => fn.min('to_at').as('next')).executeTakeFirstOrThrow()
    const waitS = Number(refused.headers.get('retry-after'))
    expect([waitS > 0, waitS <= Math.ceil((next.getTime() - now) / 1000)]).toEqual([true, true])
    expect((await send({}, headersOf('theirs'), theirs.orgId)).status).toBe(202)
    await db.updateTable('fleet_dispatch').set({ targets: 2 }).where('id', '=', id).execute()
  })
})

describe('the dispatch of another caller', () => {
  test.each<[string, () => Record<string, string>, boolean]>([
    ['the key that placed it', () => headersOf('ours'), true],
    ['another key', () => headersOf('other'), false],
    ['a manager of one of its sites', () => people.onSite, false],
    ['an administrator', () => people.everywhere, true],
    ['the operator', operator, true],
  ])('is seen and cancelled by %s where that may be', async (_who, headers, sees) => {
    const id = await started()
    await completed(id)
    const listed = await call(cloud, 'GET', `/api/orgs/${ours.orgId}/dispatches`, { headers: headers() })
    expect((listed.body.dispatches as { id: string }[]).some((one) => one.id === id)).toBe(sees)
    const cancelled = () => call(cloud, 'DELETE', path(id), { headers: headers() })
    const expected = sees ? 200 : 404
    expect((await get(id, headers())).status).toBe(expected)
    const events = await fetch(`${cloud.ready.baseUrl}${path(id)}/events`, { headers: headers() })
    expect(events.status).toBe(expected)
    await events.body?.cancel()
    expect((await cancelled()).status).toBe(expected)
    expect((await get(id)).body.state).toBe(sees ? 'cancelled' : 'completed')
  })

  test('is unknown to another organization, whichever path it takes', async () => {
    const id = await started()
    const headers = headersOf('theirs')
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/events'],
      ['DELETE', ''],
    ] as const) {
      expect((await call(cloud, method, path(id) + rest, { headers })).status).toBe(403)
      const own = await call(cloud, method, path(id, theirs.orgId) + rest, { headers })
      const unknown = await call(cloud, method, path('dsp_none', theirs.orgId) + rest, { headers })
      expect([own.status, String(own.body.message).replace(id, 'dsp_none')]).toEqual([404, unknown.body.message])
    }
    expect((await send({}, headers)).status).toBe(403)
    const list = await call(cloud, 'GET', `/api/orgs/${theirs.orgId}/dispatches`, { headers })
    expect((list.body.dispatches as { id: string }[]).map((one) => one.id)).not.toContain(id)
  })
})
