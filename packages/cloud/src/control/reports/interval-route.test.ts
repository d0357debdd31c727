import { createLog } from '@plantroom/base/log'
import { type LimitInterval, MAX_LIMIT_KW } from '@plantroom/contract/power-limit'
import type { ReportEntry } from '@plantroom/contract/reports'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { addTenant, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'
import { createOverrideOwnerStore } from '../devices/index.ts'
import { readReportBatch } from './report-receiver.ts'
import { entryOf } from './testing/entries.ts'

const START = Date.UTC(2026, 0, 1)
const QUARTER = 900_000
const at = (quarter: number) => new Date(START + quarter * QUARTER).toISOString()
const interval = (quarter: number, about: Partial<LimitInterval> = {}): LimitInterval => ({
  ...{ from: at(quarter), to: at(quarter + 1), direction: 'import', limitKw: 60, meanKw: 57.5, coverage: 100 },
  ...{ state: 'limited', moved: ['dp_battery'] },
  ...about,
})
const placedBy = { id: 'user:operator', name: 'Grid operator', reason: 'feeder, north' }
const entry = (deviceId: string, seq: number, of: LimitInterval): ReportEntry =>
  entryOf(deviceId, seq, {
    ...{ phase: 'interval', interval: of, overrideId: `ovr_${of.limitKw}`, reqId: null, datapointId: 'dp_meter' },
    placedBy,
  })
/** As a key sees the interval of a limit that another caller has placed. */
const ofOther = { limitId: null, placedBy: null, limitedBy: null }

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
let theirs: Tenant
let key: { id: string; apiKey: string }

async function report(tenant: Tenant, intervals: readonly LimitInterval[], first = 1): Promise<void> {
  const device = await connectDevice(cloud.ready.mqttUrl, tenant)
  const confirmed: string[] = []
  device.client.on('message', (topic) => void confirmed.push(topic))
  const entries = intervals.map((one, index) => entry(tenant.deviceId, first + index, one))
  await device.client.publishAsync(topics.reports(tenant.deviceId), JSON.stringify({ entries }), { qos: 1 })
  const last = topics.confirm(tenant.deviceId, 'reports', first + entries.length - 1)
  await eventually(() => expect(confirmed).toContain(last))
  await device.close()
}

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  theirs = await addTenant(cloud, 'Theirs')
  key = await createKey(cloud, ours.orgId, ['measurement:read'])
  // Late ones last, as after a lost uplink.
  await report(ours, [
    interval(2, { meanKw: 66.25, state: 'exhausted' }),
    interval(3, { coverage: 20, source: 'contact' }),
    interval(0),
    interval(1, { direction: 'export', meanKw: null, coverage: 0, moved: [] }),
    // Limits that overlap have intervals of their own.
    interval(4, { direction: 'export', limitKw: 10, meanKw: 12 }),
    interval(4, { direction: 'export', limitKw: 15, meanKw: 12 }),
  ])
  await report(theirs, [interval(0)])
})
afterAll(() => cloud?.stop())

const path = (tenant: Tenant, query = '') =>
  `/api/orgs/${tenant.orgId}/sites/${tenant.siteId}/limit-intervals?from=${at(0)}&to=${at(96)}${query}`
const list = (query = '', tenant = ours) =>
  call(cloud, 'GET', path(tenant, query), { headers: { 'x-api-key': key.apiKey } })

describe('the intervals of a site', () => {
  test('are listed by their beginning, with whether the limit was kept', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    const { deviceId } = ours
    expect(body).toEqual({
      intervals: [
        { ...interval(0), ...ofOther, deviceId, marginKw: 2.5, kept: true },
        {
          ...interval(1, { direction: 'export', meanKw: null, coverage: 0, moved: [] }),
          ...ofOther,
          ...{ deviceId, marginKw: null, kept: null },
        },
        { ...interval(2, { meanKw: 66.25, state: 'exhausted' }), ...ofOther, deviceId, marginKw: -6.25, kept: false },
        { ...interval(3, { coverage: 20, source: 'contact' }), ...ofOther, deviceId, marginKw: 2.5, kept: null },
        ...[
          { limitKw: 10, marginKw: -2, kept: false },
          { limitKw: 15, marginKw: 3, kept: true },
        ].map((one) => ({ ...interval(4, { direction: 'export', meanKw: 12 }), ...ofOther, deviceId, ...one })),
      ],
      nextCursor: null,
    })
  })

  test('come by pages, and only of the period', async () => {
    const first = await list('&limit=3')
    expect(first.body.intervals).toMatchObject([0, 1, 2].map((quarter) => ({ from: at(quarter) })))
    const second = await list(`&limit=3&cursor=${first.body.nextCursor}`)
    expect(second.body).toMatchObject({
      intervals: [3, 4, 4].map((quarter) => ({ from: at(quarter) })),
      nextCursor: null,
    })
    const headers = { 'x-api-key': key.apiKey }
    const some = `/api/orgs/${ours.orgId}/sites/${ours.siteId}/limit-intervals?from=${at(1)}&to=${at(3)}`
    const { body } = await call(cloud, 'GET', some, { headers })
    expect(body.intervals).toMatchObject([{ from: at(1) }, { from: at(2) }])
  })

  test('are a CSV file with the margin', async () => {
    const { headers, body } = await list('&format=csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const rows = String(body.text).trim().split('\r\n')
    expect(rows[0]).toContain('from,to,deviceId,direction,limitKw,meanKw,marginKw,coverage,state,kept,moved,limitId')
    expect(rows[1]).toBe(`${at(0)},${at(1)},${ours.deviceId},import,60,57.5,2.5,100,limited,true,dp_battery,,,,,,,`)
    expect(rows[4]).toMatch(/,contact,,,$/)
    expect(rows[3]).toContain(',60,66.25,-6.25,100,exhausted,false,')
    expect(rows.slice(5, 7).map((row) => row.split(',').slice(3, 10).join(','))).toEqual([
      'export,10,12,-2,100,limited,false',
      'export,15,12,3,100,limited,true',
    ])
  })

  test('say to those who manage the site which limit they are of, and who placed it', async () => {
    const headers = { authorization: `Bearer ${cloud.ready.adminToken}` }
    const { body } = await call(cloud, 'GET', path(ours), { headers })
    const own = (body.intervals as { limitId: string; placedBy: object }[]).filter(
      ({ limitId }) => limitId === 'ovr_15',
    )
    expect(own).toMatchObject([{ placedBy }])
    const csv = await call(cloud, 'GET', path(ours, '&format=csv'), { headers })
    expect(String(csv.body.text)).toContain(',ovr_15,Grid operator,"feeder, north"')
  })

  test('of others are refused, and so is a period that ends before it begins', async () => {
    expect((await list('', theirs)).status).toBe(403)
    const reversed = `/api/orgs/${ours.orgId}/sites/${ours.siteId}/limit-intervals?from=${at(2)}&to=${at(1)}`
    const { status, body } = await call(cloud, 'GET', reversed, { headers: { 'x-api-key': key.apiKey } })
    expect([status, body.field]).toEqual([400, 'from'])
  })

  test('are among the audit entries', async () => {
    const reports = `/api/orgs/${ours.orgId}/reports?datapointId=dp_meter`
    const { body } = await call(cloud, 'GET', reports, { headers: { 'x-api-key': key.apiKey } })
    const entries = body.reports as ReportEntry[]
    expect(entries.map(({ phase, interval: of }) => [phase, of?.from])).toEqual(
      [4, 4, 1, 0, 3, 2].map((quarter) => ['interval', at(quarter)]),
    )
  })

  test('are found by an index', async () => {
    const db = openDatabase({ connectionString: String(cloud.config.databaseUrl) }, createLog('test', 'silent'))
    const { rows } = await db.transaction().execute((tx) =>
      sql`SET LOCAL enable_seqscan = off`.execute(tx).then(() =>
        sql<{ 'QUERY PLAN': string }>`EXPLAIN SELECT interval FROM report WHERE organization_id = 'o' AND site_id = 's'
          AND interval_from >= now() AND interval_from < now() ORDER BY interval_from, position LIMIT 10`.execute(tx),
      ),
    )
    await db.destroy()
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('report_interval')
  })

  test('say what limited the site, and which limit that was only to those who may know it', async () => {
    const day = 96
    const limitedBy = { source: 'placed', kw: 40, limitId: 'ovr_strict' } as const
    const commissioned = { source: 'commissioned', kw: 50, limitId: null } as const
    await report(
      ours,
      [interval(day, { limitedBy }), interval(day + 1, { limitedBy: commissioned }), interval(day + 2)],
      100,
    )
    const db = openDatabase({ connectionString: String(cloud.config.databaseUrl) }, createLog('test', 'silent'))
    const period = `/api/orgs/${ours.orgId}/sites/${ours.siteId}/limit-intervals?from=${at(day)}&to=${at(day + 4)}`
    const seenBy = async (headers: Record<string, string>) => {
      const { body } = await call(cloud, 'GET', period, { headers })
      return (body.intervals as { limitedBy: object }[]).map((one) => one.limitedBy)
    }
    const hidden = { ...limitedBy, limitId: null }
    expect(await seenBy({ 'x-api-key': key.apiKey })).toEqual([hidden, commissioned, null])
    expect(await seenBy({ authorization: `Bearer ${cloud.ready.adminToken}` })).toEqual([limitedBy, commissioned, null])
    await createOverrideOwnerStore(db).add([
      {
        deviceId: ours.deviceId,
        overrideId: 'ovr_strict',
        placedBy: key.id,
        endsAt: new Date(Date.now() + 86_400_000),
      },
    ])
    expect(await seenBy({ 'x-api-key': key.apiKey })).toEqual([limitedBy, commissioned, null])
    const csv = await call(cloud, 'GET', `${period}&format=csv`, { headers: { 'x-api-key': key.apiKey } })
    const rows = String(csv.body.text).trim().split('\r\n')
    expect(rows[0]).toMatch(/,limitedBy,limitedByKw,limitedByLimitId$/)
    expect(rows[1]).toMatch(/,placed,40,ovr_strict$/)
    expect(rows[2]).toMatch(/,commissioned,50,$/)
    await db.destroy()
  })
})

describe('an entry of an interval', () => {
  const problems = (of: unknown) =>
    readReportBatch('dev', { entries: [entryOf('dev', 1, { phase: 'interval', interval: of as LimitInterval })] })
      ?.rejected
  test.each<[string, unknown]>([
    ['is missing', undefined],
    ['has no limit', { ...interval(0), limitKw: null }],
    ['has a beginning that is no time', { ...interval(0), from: 'soon' }],
    ['has a mean that is no number', { ...interval(0), meanKw: 'much' }],
    ['has an unknown state', { ...interval(0), state: 'fine' }],
    ['moved what cannot be stored', { ...interval(0), moved: ['\0'] }],
  ])('that %s is rejected with the reason', (_what, of) => {
    expect(problems(of)).toEqual(['seq 1: interval is invalid'])
  })
  test('that is complete is accepted, and one without an interval in another phase', () => {
    expect(problems(interval(0, { limitKw: MAX_LIMIT_KW }))).toEqual([])
    expect(readReportBatch('dev', { entries: [entryOf('dev', 1)] })?.rejected).toEqual([])
  })
})
