import { randomUUID } from 'node:crypto'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, type SignedInHeaders } from '../../organization/access/testing/people.ts'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { openStream } from '../../platform/streams/testing/open-stream.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice, type TestDevice } from '../../testing/device.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db
let ours: Tenant
let annex: Tenant
/** A site whose controller has no power limit. */
let bare: Tenant
let theirs: Tenant
const devices: TestDevice[] = []
const received: { deviceId: string; command: string; envelope: Record<string, unknown> }[] = []
const keys: Record<'ours' | 'other' | 'onSite', string> = {} as never
let manager: SignedInHeaders
let viewer: SignedInHeaders

const FILE = {
  technicalSystem: 'Room',
  connections: [
    {
      ...{ name: 'Meters', protocol: 'modbus-tcp', settings: {} },
      datapoints: [{ name: 'Grid power', accessType: 'READ', unit: 'kW', data: {} }],
    },
  ],
}

/** Commissions a controller, with a power limit as its commissioning file says it. */
async function commission(tenant: Tenant, loads: object[] | undefined): Promise<void> {
  const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/commissioning`
  const { body } = await asOperator(cloud, 'PUT', path, FILE)
  const [connection] = body.connections as { datapoints: { id: string }[] }[]
  if (!loads) return
  const settings = { meterId: connection?.datapoints[0]?.id, meterKwPerUnit: 1, guaranteedKw: 5, loads }
  await sql`
    UPDATE technical_system SET document = (document::jsonb || ${JSON.stringify({ powerLimit: settings })}::jsonb)::json
    WHERE device_id = ${tenant.deviceId}`.execute(db)
}

async function connect(tenant: Tenant): Promise<void> {
  const { deviceId } = tenant
  devices.push(
    await connectDevice(cloud.ready.mqttUrl, tenant, (command, envelope) => {
      received.push({ deviceId, command, envelope })
      const reply =
        command === 'placeLimit' ? { id: `lim_${deviceId}_${received.length}`, meterId: 'm' } : { cancelled: [] }
      return { status: 'ok', payload: JSON.stringify(reply) }
    }),
  )
}

const modulating = { datapointId: 'dp', kind: 'modulating', priority: 1, minKw: -50, maxKw: 30, kwPerUnit: 1 }
const switching = { datapointId: 'dp', kind: 'switching', priority: 2, shedValue: 0, ratedKw: 60, minOnSeconds: 0 }

beforeAll(async () => {
  cloud = await startTestCloud()
  db = openDatabase({ connectionString: String(cloud.config.databaseUrl) }, createLog('test', 'silent'))
  ours = await addTenant(cloud, 'Ours')
  theirs = await addTenant(cloud, 'Theirs')
  const { orgId } = ours
  const added = async (name: string): Promise<Tenant> => {
    const site = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/sites`, { name })
    const siteId = String(site.body.id)
    const { body } = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/devices`, { name, siteId })
    return { orgId, siteId, deviceId: String(body.id), deviceSecret: String(body.secret) }
  }
  annex = await added('Annex')
  bare = await added('Bare')
  for (const tenant of [ours, annex, bare, theirs]) await connect(tenant)
  await eventually(async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${orgId}/devices`)
    expect(body.devices).toMatchObject([{ online: true }, { online: true }, { online: true }])
  })
  await commission(ours, [modulating])
  await commission(annex, [switching])
  await commission(bare, undefined)
  const siteIds = [ours.siteId, annex.siteId, bare.siteId]
  await asOperator(cloud, 'PATCH', `/api/orgs/${orgId}/site-tags`, { siteIds, add: ['feeder 7'] })
  await asOperator(cloud, 'PATCH', `/api/orgs/${orgId}/site-tags`, { siteIds: [bare.siteId], add: ['bare'] })
  const writes = ['edge-device:read_write']
  keys.ours = (await createKey(cloud, orgId, writes)).apiKey
  keys.other = (await createKey(cloud, orgId, writes)).apiKey
  keys.onSite = (await createKey(cloud, orgId, writes, [ours.siteId])).apiKey
  const on = (role: 'manager' | 'viewer') => ({ sites: [{ siteId: ours.siteId, role }] })
  manager = (await addPerson(cloud, orgId, 'manager@example.com', on('manager'))).headers
  viewer = (await addPerson(cloud, orgId, 'viewer@example.com', on('viewer'))).headers
})
afterAll(async () => {
  for (const device of devices) await device.close()
  await db?.destroy()
  await cloud?.stop()
})

const inFuture = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const by = (key: keyof typeof keys): Record<string, string> => ({ 'x-api-key': keys[key] })
const LIMITS = () => `/api/orgs/${ours.orgId}/limits`
const bodyOf = (about: object) => ({
  ...{ idempotencyKey: randomUUID(), direction: 'import', kw: 60, to: inFuture(3600), ...about },
})
const send = (about: object, headers: Record<string, string> = by('ours')) =>
  call(cloud, 'POST', LIMITS(), { headers, body: bodyOf(about) })
const get = (path: string, headers: Record<string, string> = by('ours')) =>
  call(cloud, 'GET', LIMITS() + path, { headers })
async function placed(about: object, headers: Record<string, string> = by('ours')): Promise<string> {
  const { status, body } = await send(about, headers)
  expect([status, body.id]).toEqual([201, expect.stringMatching(/^lim_/)])
  return String(body.id)
}
const completed = (id: string, headers: Record<string, string> = by('ours')) =>
  eventually(async () => {
    const { body } = await get(`/${id}`, headers)
    expect(body.state).toBe('completed')
    return body as { outcomes: { deviceId: string; kw: number }[] } & Record<string, unknown>
  })
const commandsOf = (tenant: Tenant) => received.filter(({ deviceId }) => deviceId === tenant.deviceId)

describe('a power limit', () => {
  test('of a site reaches its controller, and is released there', async () => {
    const id = await placed({ siteId: ours.siteId, averagingSeconds: 0, reason: 'grid alarm' })
    const limit = await completed(id)
    expect(limit).toMatchObject({
      ...{ id, direction: 'import', kw: 60, averagingSeconds: 0, reason: 'grid alarm', releasing: 0 },
      counts: { accepted: 1, pending: 0 },
      outcomes: [{ deviceId: ours.deviceId, kw: 60, outcome: 'accepted', meterName: 'Grid power', isReplaced: false }],
    })
    expect(commandsOf(ours).at(-1)).toMatchObject({
      command: 'placeLimit',
      envelope: { data: { direction: 'import', kw: 60, averagingSeconds: 0, reason: 'grid alarm' } },
    })
    const released = await call(cloud, 'DELETE', `${LIMITS()}/${id}`, { headers: by('ours') })
    expect(released.body).toMatchObject({ state: 'cancelled', counts: { accepted: 0, cancelled: 1 } })
    await eventually(async () => expect((await get(`/${id}`)).body.releasing).toBe(0))
    expect(commandsOf(ours).at(-1)).toMatchObject({ command: 'cancelOverridesByReqId' })
    expect((await call(cloud, 'DELETE', `${LIMITS()}/${id}`, { headers: by('ours') })).status).toBe(200)
    const log = await asOperator(cloud, 'GET', `/api/orgs/${ours.orgId}/activity?subject=${id}`)
    expect(log.body.entries).toMatchObject([{ action: 'limit-released' }, { action: 'limit-placed' }])
  })

  test('of several sites is a total, which is split by what each can move', async () => {
    const { outcomes } = await completed(await placed({ tags: ['feeder 7'], kw: 100 }))
    const shares = new Map(outcomes.map(({ deviceId, kw }) => [deviceId, kw]))
    // 5 are guaranteed to each, and the other 90 go 30 to 60.
    expect(shares).toEqual(
      new Map([
        [ours.deviceId, 35],
        [annex.deviceId, 65],
      ]),
    )
  })

  test('reaches only the sites of a key and of a manager', async () => {
    for (const headers of [by('onSite'), manager]) {
      const { outcomes } = await completed(await placed({ tags: ['feeder 7'] }, headers), headers)
      expect(outcomes).toMatchObject([{ deviceId: ours.deviceId, kw: 60 }])
      expect(await send({ siteId: annex.siteId }, headers)).toMatchObject({ status: 400, body: { field: 'siteId' } })
    }
    expect((await send({ siteId: ours.siteId }, viewer)).status).toBe(403)
  })

  test('is placed once for each key of its caller', async () => {
    const idempotencyKey = randomUUID()
    const about = { idempotencyKey, siteId: ours.siteId, to: inFuture(1800) }
    const id = await placed(about)
    expect(await placed(about)).toBe(id)
    expect(await send({ ...about, kw: 61 })).toMatchObject({ status: 409, body: { field: 'idempotencyKey' } })
    expect(await placed(about, by('other'))).not.toBe(id)
  })

  test('is seen by its key, by managers of its sites, and by no fleet dispatch', async () => {
    const id = await placed({ siteId: ours.siteId })
    for (const headers of [by('ours'), manager]) expect((await get(`/${id}`, headers)).status).toBe(200)
    expect(await get(`/${id}`, by('other'))).toMatchObject({
      ...{ status: 404, body: { message: `this organization has no power limit ${id}` } },
    })
    const dispatch = `/api/orgs/${ours.orgId}/dispatches`
    expect((await call(cloud, 'GET', `${dispatch}/${id}`, { headers: by('ours') })).status).toBe(404)
    const { body } = await call(cloud, 'GET', dispatch, { headers: by('ours') })
    expect(body.dispatches).toEqual([])
  })

  test('is listed by site while it is active', async () => {
    const id = await placed({ siteId: annex.siteId })
    const ids = async (query: string) =>
      ((await get(`?limit=100${query}`)).body.limits as { id: string }[]).map((one) => one.id)
    expect(await ids(`&siteId=${annex.siteId}&active=true`)).toContain(id)
    expect(await ids(`&siteId=${ours.siteId}`)).not.toContain(id)
    await call(cloud, 'DELETE', `${LIMITS()}/${id}`, { headers: by('ours') })
    expect(await ids(`&siteId=${annex.siteId}&active=true`)).not.toContain(id)
    expect(await ids('&active=false')).toContain(id)
  })

  test.each<[string, () => object, string, RegExp]>([
    ['names no site', () => ({}), 'siteId', /send one of siteId, deviceIds and tags/],
    ['names two kinds', () => ({ siteId: ours.siteId, tags: ['feeder 7'] }), 'siteId', /send one of/],
    ['names a site of others', () => ({ siteId: theirs.siteId }), 'siteId', /there is no site/],
    ['names a device of others', () => ({ deviceIds: [theirs.deviceId] }), 'deviceIds', /there is no device/],
    [
      'names an unknown tag',
      () => ({ tags: ['feeder 7', 'feeder 8'] }),
      'tags',
      /no site that you manage has the tag feeder 8/,
    ],
    [
      'is for a site without one',
      () => ({ siteId: bare.siteId }),
      'siteId',
      /no controller .* add powerLimit to its commissioning/,
    ],
    [
      'is for a controller without one',
      () => ({ deviceIds: [ours.deviceId, bare.deviceId] }),
      'deviceIds',
      /has no power limit/,
    ],
    ['is for tagged sites without one', () => ({ tags: ['bare'] }), 'tags', /has a power limit: add/],
    ['is negative', () => ({ siteId: ours.siteId, kw: -1 }), 'kw', /kw/],
    ['is absurd', () => ({ siteId: ours.siteId, kw: 1e9 }), 'kw', /kw/],
    ['has no number', () => ({ siteId: ours.siteId, kw: 'much' }), 'kw', /kw/],
    ['leaves too little for all', () => ({ tags: ['feeder 7'], kw: 9 }), 'kw', /guaranteed .* send at least that/],
    [
      'ends before it begins',
      () => ({ siteId: ours.siteId, from: inFuture(90), to: inFuture(60) }),
      'to',
      /after from/,
    ],
    ['is longer than a day', () => ({ siteId: ours.siteId, to: inFuture(86_460) }), 'to', /longer than 24 hours/],
    [
      'is of an export that nothing can take up',
      () => ({ siteId: annex.siteId, direction: 'export' }),
      'direction',
      /modulating load/,
    ],
    ['has another averaging time', () => ({ siteId: ours.siteId, averagingSeconds: 60 }), 'averagingSeconds', /0, 900/],
    ['has a misspelt field', () => ({ siteId: ours.siteId, watts: 5 }), 'watts', /watts/],
  ])('that %s is refused with what to do', async (_why, about, field, message) => {
    const stored = () => db.selectFrom('fleet_dispatch').select('id').orderBy('id').execute()
    const before = await stored()
    const { status, body } = await send(about())
    expect([status, body.field]).toEqual([400, field])
    expect(body.message).toMatch(message)
    expect(await stored()).toEqual(before)
  })

  test('is followed until no controller is pending, by those who may see it', async () => {
    const id = await placed({ siteId: ours.siteId })
    const address = `${cloud.ready.baseUrl}${LIMITS()}/${id}/events`
    const followed = await openStream(address, by('ours'))
    const ended = {
      event: 'ended',
      data: { id, state: 'completed', counts: { accepted: 1, pending: 0 }, releasing: 0 },
    }
    await eventually(() => expect(followed.events().at(-1)).toMatchObject(ended))
    expect((await openStream(address, by('other'))).response.statusCode).toBe(404)
    expect((await openStream(`${cloud.ready.baseUrl}${LIMITS()}/dsp_x/events`, by('ours'))).response.statusCode).toBe(
      404,
    )
  })

  test('of the export is taken where a load can take up power', async () => {
    await completed(await placed({ siteId: ours.siteId, direction: 'export', kw: 0 }))
    expect(commandsOf(ours).at(-1)).toMatchObject({ envelope: { data: { direction: 'export', kw: 0 } } })
  })

  test('counts towards the quota of fleet dispatches', async () => {
    await completed(await placed({ siteId: ours.siteId }))
    await db.updateTable('fleet_dispatch').set({ targets: 250_000 }).execute()
    const refused = await send({ siteId: ours.siteId })
    expect([refused.status, refused.body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
    await db.updateTable('fleet_dispatch').set({ targets: 1 }).execute()
  })
})
