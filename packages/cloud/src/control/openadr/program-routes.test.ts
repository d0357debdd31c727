import { newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { MAX_CHECKS_PER_HOUR, MAX_OPENADR_PROGRAMS } from '@plantroom/contract/openadr'
import { eventually } from '@plantroom/testkit/eventually'
import { startVtnDouble, type VtnDouble } from '@plantroom/testkit/vtn-double'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { createActivityLog } from '../../organization/activity/activity-log.ts'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { openOutbound } from '../../platform/outbound/index.ts'
import { runDue, startWork } from '../../platform/work/index.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'
import { openadrWork } from './index.ts'

const SECRET = 'a-secret-that-nobody-reads'
const log = createLog('test', 'silent')

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db
let vtn: VtnDouble
let own: Tenant
let foreign: Tenant
let work: Awaited<ReturnType<typeof openadrWork>>
const datapoints = new Map<Tenant, string>()

const ROOM = {
  technicalSystem: 'Room',
  connections: [
    {
      ...{ name: 'Inverter', protocol: 'modbus-tcp', settings: {} },
      datapoints: [
        {
          ...{ name: 'Charge power', accessType: 'READ_WRITE', unit: 'kW', data: {} },
          ...{ writeInputType: 'number', writeInputData: { min: -50, max: 50 } },
        },
      ],
    },
  ],
}

/** Commissions the controller of a tenant, and returns the id of its datapoint. */
async function commissionRoom(tenant: Tenant): Promise<string> {
  const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/commissioning`
  const device = await connectDevice(cloud.ready.mqttUrl, tenant, () => ({ status: 'ok', payload: '{}' }))
  const { body } = await eventually(async () => {
    const answer = await asOperator(cloud, 'PUT', path, ROOM)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer
  })
  await device.close()
  const [connection] = body.connections as { datapoints: { id: string }[] }[]
  return connection?.datapoints[0]?.id ?? ''
}

beforeAll(async () => {
  cloud = await startTestCloud({ webhookNetworks: ['127.0.0.1'] })
  db = openDatabase({ connectionString: String(cloud.config.databaseUrl) }, log)
  vtn = await startVtnDouble({ version: '3.1', clientSecret: SECRET })
  vtn.addProgram({ programName: 'Flexibility' })
  own = await addTenant(cloud, 'Own')
  foreign = await addTenant(cloud, 'Foreign')
  for (const tenant of [own, foreign]) datapoints.set(tenant, await commissionRoom(tenant))
  const outbound = openOutbound({ privateNetworks: ['127.0.0.1'], clock: systemClock })
  work = await openadrWork({
    db,
    settings: cloud.config,
    outbound,
    feed: { follow() {} },
    activity: createActivityLog({ db, key: openAuditKey(newAuditKey()), clock: systemClock }),
    baseUrl: undefined,
    clock: systemClock,
    log,
  })
})
afterAll(async () => {
  await vtn.close()
  await db.destroy()
  await cloud.stop()
})

const path = (tenant: Tenant, rest = '') => `/api/orgs/${tenant.orgId}/openadr/programs${rest}`
const rule = (changes: object = {}, tenant = own) => ({
  resources: [
    {
      resourceName: 'battery',
      rules: [{ payload: 'DISPATCH_SETPOINT', datapointId: datapoints.get(tenant), ...changes }],
    },
  ],
  silenceSeconds: 600,
})
const given = (changes: object = {}, tenant = own) => ({
  ...{ name: 'Utility', vtnUrl: vtn.baseUrl, version: '3.1', profile: 'alliance-3.1', clientId: 'ven-client' },
  ...{ clientSecret: SECRET, programNames: ['Flexibility'], venName: 'building-7', mapping: rule({}, tenant) },
  ...changes,
})

/** Adds a program for the time of a test. */
async function add(changes: object = {}, tenant = own): Promise<string> {
  const { status, body } = await asOperator(cloud, 'POST', path(tenant), given(changes, tenant))
  expect(status, JSON.stringify(body)).toBe(201)
  const id = String(body.id)
  onTestFinished(async () => void (await asOperator(cloud, 'DELETE', path(tenant, `/${id}`))))
  return id
}
const run = (kind: 'polls' | 'reports') => runDue({ db, clock: systemClock, log }, work.kinds[kind] as never)

describe('a program', () => {
  test('is added, shown, changed, paused and removed, and its secret is in no answer and no entry of the log', async () => {
    const added = await asOperator(cloud, 'POST', path(own), given())
    const id = String(added.body.id)
    expect(added.body).toMatchObject({ state: 'new', active: true, pollSeconds: 60, siteIds: [own.siteId] })
    const changed = await asOperator(cloud, 'PATCH', path(own, `/${id}`), { pollSeconds: 30, clientSecret: SECRET })
    expect(changed.body).toMatchObject({ pollSeconds: 30, name: 'Utility' })
    const paused = await asOperator(cloud, 'PATCH', path(own, `/${id}`), { active: false })
    expect(paused.body).toMatchObject({ state: 'paused', nextPollAt: null })
    const shown = await asOperator(cloud, 'GET', path(own, `/${id}`))
    const listed = await asOperator(cloud, 'GET', path(own))
    expect(listed.body).toEqual({ programs: [shown.body] })
    expect((await asOperator(cloud, 'DELETE', path(own, `/${id}`))).status).toBe(204)
    expect((await asOperator(cloud, 'GET', path(own, `/${id}`))).status).toBe(404)
    const activity = await asOperator(cloud, 'GET', `/api/orgs/${own.orgId}/activity?limit=10`)
    expect(JSON.stringify(activity.body)).toContain('openadr-program-removed')
    const everything = JSON.stringify([added, changed, paused, shown, listed, activity].map(({ body }) => body))
    expect(everything).not.toContain(SECRET)
    expect(everything).not.toMatch(/notifyToken|clientSecret"\s*:/)
  })

  test.each([
    ['a payload that is nearly one', { payload: 'DISPATCH_SETPOIN' }, 'did you mean DISPATCH_SETPOINT?'],
    ['a payload that is like none', { payload: 'COFFEE' }, 'which has: SIMPLE'],
    ['a price', { payload: 'PRICE' }, 'shown only'],
    ['an unknown datapoint', { datapointId: 'dp_none' }, 'there is no writable datapoint'],
    ['an unknown field', { datapoint: 'dp' }, 'datapointId'],
  ])('with a rule for %s is refused with what to do', async (_name, changes, words) => {
    const { status, body } = await asOperator(cloud, 'POST', path(own), given({ mapping: rule(changes) }))
    expect([status, body.code]).toEqual([400, 'INVALID'])
    expect(body.message).toContain(words)
    expect(body.message).toMatch(/^mapping\.resources\[0\]\.rules\[0\]/)
  })

  test.each([
    ['an address in a private network', { vtnUrl: 'https://10.0.0.1/' }, /vtnUrl.*public address|public address/],
    ['an address without TLS', { vtnUrl: 'http://vtn.example/' }, /^vtnUrl starts with http:\/\/: use https/],
    ['a query in its address', { vtnUrl: 'https://vtn.example/?a=1' }, /leave out \? and #/],
    ['a private address of tokens', { tokenUrl: 'https://169.254.169.254/latest' }, /public address/],
    ['a version that its profile does not have', { version: '3.0' }, /for version 3.1/],
    ['a profile that there is not', { profile: 'alliance-3.2' }, /profile/],
    ['an own profile that is missing', { profile: 'own' }, /ownProfile/],
  ])('with %s is refused', async (_name, changes, words) => {
    const { status, body } = await asOperator(cloud, 'POST', path(own), given(changes))
    expect([status, body.code]).toEqual([400, 'INVALID'])
    expect(body.message).toMatch(words)
  })

  test('needs its secret again when it would go elsewhere', async () => {
    const id = await add()
    for (const change of [{ vtnUrl: `${vtn.baseUrl}/other` }, { tokenUrl: vtn.tokenUrl }, { clientId: 'another' }]) {
      const refused = await asOperator(cloud, 'PATCH', path(own, `/${id}`), change)
      expect([refused.status, refused.body.field]).toEqual([400, 'clientSecret'])
      const { status } = await asOperator(cloud, 'PATCH', path(own, `/${id}`), { ...change, clientSecret: SECRET })
      expect(status).toBe(200)
    }
  })

  test('cannot name what belongs to another organization, in the same words as what does not exist', async () => {
    const refusal = async (mapping: object) => (await asOperator(cloud, 'POST', path(own), given({ mapping }))).body
    const theirs = await refusal(rule({}, foreign))
    const missing = await refusal(rule({ datapointId: 'dp_0' }))
    expect(theirs.message).toBe(String(missing.message).replace('dp_0', datapoints.get(foreign) ?? ''))
    const limit = (siteId: string) => ({
      payload: 'IMPORT_CAPACITY_LIMIT',
      datapointId: undefined,
      limit: { siteId, direction: 'import', averagingSeconds: 900 },
    })
    const site = await refusal(rule(limit(foreign.siteId)))
    const none = await refusal(rule(limit('site_0')))
    expect(site.message).toBe(String(none.message).replace('site_0', foreign.siteId))
  })

  test('is not found through another organization', async () => {
    const id = await add()
    const calls = [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`, { active: false }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/check`],
    ] as const
    for (const [method, rest, body] of calls) {
      expect((await asOperator(cloud, method, path(foreign, rest), body)).status).toBe(404)
    }
    expect((await asOperator(cloud, 'GET', path(foreign))).body).toEqual({ programs: [] })
    expect((await asOperator(cloud, 'GET', path(own, `/${id}`))).body).toMatchObject({ active: true })
  })

  test('is seen by those who manage all of its sites', async () => {
    const id = await add()
    const sites = [{ siteId: own.siteId, role: 'manager' as const }]
    const { headers } = await addPerson(cloud, own.orgId, 'manager@example.com', { sites })
    expect((await call(cloud, 'GET', path(own, `/${id}`), { headers })).status).toBe(200)
    expect((await call(cloud, 'PATCH', path(own, `/${id}`), { headers, body: { active: false } })).status).toBe(403)
  })

  test('counts, also when twenty-five are added at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: MAX_OPENADR_PROGRAMS + 5 }, () =>
        asOperator(cloud, 'POST', path(foreign), given({}, foreign)),
      ),
    )
    const added = answers.filter(({ status }) => status === 201)
    const refused = answers.find(({ status }) => status !== 201)
    expect(added).toHaveLength(MAX_OPENADR_PROGRAMS)
    expect([refused?.status, refused?.body.message]).toEqual([429, expect.stringContaining('remove one first')])
    for (const { body } of added) await asOperator(cloud, 'DELETE', path(foreign, `/${body.id}`))
  })
})

describe('a check', () => {
  test('says step by step what works, registers and sends no report', async () => {
    const running = startWork({ db, clock: systemClock, log }, work.kinds.checks)
    onTestFinished(() => running.stop())
    const id = await add()
    const { status, body } = await asOperator(cloud, 'POST', path(own, `/${id}/check`))
    expect([status, body.ok]).toEqual([200, true])
    expect(vtn.vens.list()).toMatchObject([{ venName: 'building-7' }])
    expect(vtn.reports.list()).toEqual([])
    await asOperator(cloud, 'PATCH', path(own, `/${id}`), { clientSecret: 'wrong' })
    const wrong = await asOperator(cloud, 'POST', path(own, `/${id}/check`))
    expect(wrong.body).toMatchObject({ ok: false })
    const steps = wrong.body.steps as { step: string; state: string; ask: string | null }[]
    expect(steps.find(({ step }) => step === 'token')).toMatchObject({ state: 'failed', ask: expect.any(String) })
    expect(steps.at(-1)).toMatchObject({ state: 'skipped' })
    expect((await asOperator(cloud, 'GET', path(own, `/${id}`))).body.lastCheck).toEqual(wrong.body)
  })

  test('is refused when there were too many in an hour', async () => {
    const id = await add()
    await db
      .updateTable('openadr_program')
      .where('id', '=', id)
      .set({ asked: MAX_CHECKS_PER_HOUR, asked_until: new Date(systemClock.now() + 600_000) })
      .execute()
    const { status, body } = await asOperator(cloud, 'POST', path(own, `/${id}/check`))
    expect([status, body.message]).toEqual([429, expect.stringContaining('try again in 10 minutes')])
  })
})

describe('what a program made at its VTN', () => {
  const left = (id: string) =>
    db.selectFrom('openadr_cleanup').where('program_id', '=', id).select(['subscriptions', 'resources']).execute()
  /** A program that has a subscription and a resource at the VTN. */
  async function addConnected(): Promise<string> {
    const id = await add()
    const subscriptions = [{ id: 'sub_1', programId: 'program', callbackUrl: 'https://here.example/x' }]
    const found = JSON.stringify({ subscriptions, registeredAt: 1, venId: 'ven' })
    await db
      .updateTable('openadr_program')
      .where('id', '=', id)
      .set({ found, made_resources: ['res_1'] })
      .execute()
    return id
  }
  const change = async (id: string, body: object) =>
    expect((await asOperator(cloud, 'PATCH', path(own, `/${id}`), body)).status).toBe(200)

  test.each<[string, (id: string) => Promise<unknown>, object[]]>([
    [
      'removed',
      (id) => asOperator(cloud, 'DELETE', path(own, `/${id}`)),
      [{ subscriptions: ['sub_1'], resources: ['res_1'] }],
    ],
    ['paused', (id) => change(id, { active: false }), [{ subscriptions: ['sub_1'], resources: [] }]],
    [
      'moved to another VTN',
      (id) => change(id, { vtnUrl: 'https://other.example', clientSecret: 'other' }),
      [{ subscriptions: ['sub_1'], resources: ['res_1'] }],
    ],
    ['renamed', (id) => change(id, { name: 'Other' }), []],
  ])('is deleted there when it is %s, and only then', async (_name, act, expected) => {
    const id = await addConnected()
    await act(id)
    expect(await left(id)).toEqual(expected)
  })

  test('is made again when it was paused', async () => {
    const id = await addConnected()
    await change(id, { active: false })
    const { found } = await db
      .selectFrom('openadr_program')
      .where('id', '=', id)
      .select('found')
      .executeTakeFirstOrThrow()
    expect(found).toEqual({ venId: 'ven' })
    await change(id, { active: true })
    expect(await left(id)).toHaveLength(1)
  })
})

describe('a notification', () => {
  const dueAt = async (id: string) =>
    await db
      .selectFrom('openadr_program')
      .where('id', '=', id)
      .select(['poll_at', 'notify_token'])
      .executeTakeFirstOrThrow()
  const notify = (token: string, body: unknown = {}) =>
    call(cloud, 'POST', `/api/openadr/notifications/${token}`, { body })

  test('wakes the poll of its program; a wrong secret gets the same answer and wakes nothing', async () => {
    const id = await add()
    await run('polls')
    const { poll_at: before, notify_token: token } = await dueAt(id)
    const wrong = await notify(`${token}x`, { objectType: 'EVENT' })
    expect((await dueAt(id)).poll_at).toEqual(before)
    const right = await notify(token, { objectType: 'EVENT' })
    expect([right.status, right.body]).toEqual([wrong.status, wrong.body])
    expect((await dueAt(id)).poll_at.getTime()).toBeLessThan(before.getTime())
    expect(right.status).toBe(204)
  })

  test('wakes it in whatever form it comes, because it is not read', async () => {
    const id = await add()
    const { notify_token: token } = await dueAt(id)
    const bodies: [string, string | undefined][] = [
      [`{"objectType":"EVENT","object":"${'x'.repeat(200_000)}"}`, 'application/json'],
      ['{"objectType":', 'application/json'],
      ['<html>', 'text/html'],
      ['{}', 'not a type'],
      ['', undefined],
    ]
    for (const [body, type] of bodies) {
      await db
        .updateTable('openadr_program')
        .where('id', '=', id)
        .set({ poll_at: new Date('2099-01-01') })
        .execute()
      const headers = type === undefined ? {} : { 'content-type': type }
      const url = `${cloud.ready.baseUrl}/api/openadr/notifications/${token}`
      expect((await fetch(url, { method: 'POST', headers, body })).status, type).toBe(204)
      expect((await dueAt(id)).poll_at.getTime(), type).toBeLessThan(systemClock.now() + 10_000)
    }
  })
})

describe('events and reports', () => {
  test('are listed by pages, and to their organization only', async () => {
    const id = await add()
    const programID = vtn.programs.list()[0]?.id
    for (let count = 0; count < 5; count += 1) {
      const start = new Date(systemClock.now() + count * 3_600_000).toISOString()
      vtn.addEvent({
        programID,
        eventName: `Event ${count}`,
        intervalPeriod: { start, duration: 'PT10M' },
        intervals: [{ id: 0, payloads: [{ type: 'DISPATCH_SETPOINT', values: [count] }] }],
      })
    }
    await run('polls')
    const list = (tenant: Tenant, what: string, query = '') =>
      asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/openadr/${what}?programId=${id}${query}`)
    const seen: string[] = []
    let cursor: unknown = ''
    while (cursor !== null) {
      const { body } = await list(own, 'events', `&limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...(body.events as { eventName: string }[]).map(({ eventName }) => eventName))
      cursor = body.nextCursor
    }
    expect(seen).toEqual([4, 3, 2, 1, 0].map((number) => `Event ${number}`))
    expect((await list(foreign, 'events')).body).toEqual({ events: [], nextCursor: null })
    expect((await list(foreign, 'reports')).body).toEqual({ reports: [], nextCursor: null })
    expect((await list(own, 'events', '&state=active')).body.events).toHaveLength(1)
    for (const query of ['&state=none', '&limit=1000', '&from=yesterday', '&cursor=nonsense']) {
      expect((await list(own, 'events', query)).status, query).toBe(400)
    }
  })
})

describe('an opt-out', () => {
  const openadr = (tenant: Tenant, rest: string) => `/api/orgs/${tenant.orgId}/openadr${rest}`
  const reason = 'A concert tonight'

  /** Adds a program with one event, and returns the id of the event. */
  async function addEvent(startMs: number, changes: object = {}): Promise<string> {
    const id = await add(changes)
    const start = new Date(systemClock.now() + startMs).toISOString()
    const event = vtn.addEvent({
      ...{ programID: vtn.programs.list()[0]?.id, eventName: 'Evening' },
      intervalPeriod: { start, duration: 'PT10M' },
      intervals: [{ id: 0, payloads: [{ type: 'DISPATCH_SETPOINT', values: [3] }] }],
    })
    onTestFinished(() => void vtn.events.remove(String(event.id)))
    await run('polls')
    const { body } = await asOperator(cloud, 'GET', openadr(own, `/events?programId=${id}`))
    const found = (body.events as { id: string; eventId: string }[]).find(({ eventId }) => eventId === event.id)
    return found?.id ?? ''
  }

  test('is made with a reason, wakes the worker, is recorded, and is ended', async () => {
    const eventId = await addEvent(60_000)
    const path = openadr(own, `/events/${eventId}/opt-outs`)
    const out = await asOperator(cloud, 'POST', path, { reason, siteId: own.siteId })
    expect([out.status, out.body.optOuts]).toMatchObject([201, [{ resourceName: 'battery', reason }]])
    const again = await asOperator(cloud, 'POST', path, { reason: 'Another', resourceNames: ['battery'] })
    expect(again.body).toEqual(out.body)
    await run('polls')
    const placements = await db
      .selectFrom('openadr_placement')
      .where('event_id', '=', eventId)
      .where('ended_at', 'is', null)
      .select('id')
      .execute()
    expect(placements).toEqual([])
    const [{ id = '' } = {}] = out.body.optOuts as { id: string }[]
    expect((await asOperator(cloud, 'DELETE', openadr(foreign, `/opt-outs/${id}`))).status).toBe(404)
    const ended = openadr(own, `/opt-outs/${id}`)
    expect((await asOperator(cloud, 'DELETE', ended)).status).toBe(204)
    expect((await asOperator(cloud, 'DELETE', ended)).status).toBe(404)
    const activity = await asOperator(cloud, 'GET', `/api/orgs/${own.orgId}/activity?limit=3`)
    expect(activity.body.entries).toMatchObject([
      { action: 'openadr-opted-in', details: { eventId, resources: ['battery'] } },
      { action: 'openadr-opted-out' },
      { action: 'openadr-opted-out', details: { eventId, resources: ['battery'], reason } },
    ])
  })

  test.each([
    ['without a reason', { reason: '' }, 400, /reason/],
    ['for a resource that the event is not for', { reason, resourceNames: ['pump'] }, 400, /it is for battery/],
    ['for a site that the event is not for', { reason, siteId: 'site_none' }, 400, /asks nothing of the site/],
  ])('%s is refused with what to do', async (_name, body, status, words) => {
    const eventId = await addEvent(60_000)
    const answer = await asOperator(cloud, 'POST', openadr(own, `/events/${eventId}/opt-outs`), body)
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(words)])
  })

  test('of an event that is over, or of another organization, is refused', async () => {
    const over = await addEvent(-3_600_000)
    const answer = await asOperator(cloud, 'POST', openadr(own, `/events/${over}/opt-outs`), { reason })
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringMatching(/the event is over/)])
    const hidden = await asOperator(cloud, 'POST', openadr(foreign, `/events/${over}/opt-outs`), { reason })
    expect(hidden.status).toBe(404)
  })

  test('is for the manager of one of two sites, who sees and changes nothing of the other', async () => {
    const { orgId } = own
    const site = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/sites`, { name: 'Other' })
    const siteId = String(site.body.id)
    const added = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/devices`, { name: 'Pump room', siteId })
    const device = { deviceId: String(added.body.id), deviceSecret: String(added.body.secret) }
    const pump = await commissionRoom({ orgId, siteId, ...device })
    const rules = (datapointId?: string) => [{ payload: 'DISPATCH_SETPOINT', datapointId }]
    const resources = [
      { resourceName: 'battery', rules: rules(datapoints.get(own)) },
      { resourceName: 'pump', rules: rules(pump) },
    ]
    const eventId = await addEvent(60_000, { mapping: { resources, silenceSeconds: 3600 } })
    const sites = [{ siteId: own.siteId, role: 'manager' as const }]
    const { headers } = await addPerson(cloud, orgId, 'manager-of-battery@example.com', { sites })
    const shown = async () => {
      const { body } = await call(cloud, 'GET', openadr(own, '/events'), { headers })
      return (body.events as { id: string }[]).find(({ id }) => id === eventId)
    }
    expect(await shown()).toMatchObject({ resources: ['battery'], placements: [{ resourceName: 'battery' }] })
    expect((await call(cloud, 'GET', openadr(own, '/programs'), { headers })).body).toEqual({ programs: [] })
    const path = openadr(own, `/events/${eventId}/opt-outs`)
    const foreignNames = { reason, resourceNames: ['pump'] }
    expect((await call(cloud, 'POST', path, { headers, body: foreignNames })).status).toBe(400)
    const ofPump = await asOperator(cloud, 'POST', path, foreignNames)
    const [{ id = '' } = {}] = ofPump.body.optOuts as { id: string }[]
    expect((await call(cloud, 'DELETE', openadr(own, `/opt-outs/${id}`), { headers })).status).toBe(404)
    const out = await call(cloud, 'POST', path, { headers, body: { reason } })
    expect([out.status, out.body.optOuts]).toMatchObject([201, [{ resourceName: 'battery' }]])
    expect(await shown()).toMatchObject({ optOuts: [{ resourceName: 'battery' }] })
    const [{ id: ownId = '' } = {}] = out.body.optOuts as { id: string }[]
    expect((await call(cloud, 'DELETE', openadr(own, `/opt-outs/${ownId}`), { headers })).status).toBe(204)
  })

  test('is for managers of all sites of the program, and not for those who may only look', async () => {
    const eventId = await addEvent(60_000)
    const path = openadr(own, `/events/${eventId}/opt-outs`)
    for (const [role, status] of [
      ['viewer', 403],
      ['manager', 201],
    ] as const) {
      const sites = [{ siteId: own.siteId, role }]
      const { headers } = await addPerson(cloud, own.orgId, `${role}-of-one@example.com`, { sites })
      expect((await call(cloud, 'POST', path, { headers, body: { reason } })).status, role).toBe(status)
    }
  })
})
