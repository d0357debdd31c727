import { createLog } from '@plantroom/base/log'
import type { ReportEntry } from '@plantroom/contract/reports'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'
import { REPORT_COLUMNS } from './report-routes.ts'
import { entriesOf, entryOf } from './testing/entries.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
/** Another device of the same organization, on another site. */
let annex: Tenant
let theirs: Tenant
/** In the order they were sent. */
let sent: ReportEntry[]

async function report(tenant: Tenant, entries: readonly ReportEntry[]): Promise<void> {
  const device = await connectDevice(cloud.ready.mqttUrl, tenant)
  const confirmed: string[] = []
  device.client.on('message', (topic) => void confirmed.push(topic))
  for (let from = 0; from < entries.length; from += 50) {
    const batch = entries.slice(from, from + 50)
    await device.client.publishAsync(topics.reports(tenant.deviceId), JSON.stringify({ entries: batch }), { qos: 1 })
    const last = batch.at(-1)?.seq ?? 0
    await eventually(() => expect(confirmed).toContain(topics.confirm(tenant.deviceId, 'reports', last)))
  }
  await device.close()
}

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  theirs = await addTenant(cloud, 'Theirs')
  const site = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/sites`, { name: 'Annex' })
  const siteId = String(site.body.id)
  const device = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/devices`, { name: 'Annex', siteId })
  annex = { orgId: ours.orgId, siteId, deviceId: String(device.body.id), deviceSecret: String(device.body.secret) }

  const main = entriesOf(ours.deviceId, 250).map((entry, index) => ({
    ...entry,
    at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    datapointId: index % 2 ? 'dp_odd' : 'dp_even',
    technicalSystemId: index < 200 ? 'ts_first' : 'ts_last',
  }))
  const shaved = entryOf(annex.deviceId, 1, {
    code: 4000,
    name: 'OPTIMIZATION_PEAK_SHAVING',
    title: 'Peak shaving adjustment',
    valueBefore: '9007199254740993',
    value: null,
    readBack: null,
  })
  await report(ours, main)
  await report(annex, [shaved])
  await report(theirs, [entryOf(theirs.deviceId, 1)])
  sent = [...main, shaved]
})
afterAll(() => cloud.stop())

interface Page {
  reports: ReportEntry[]
  nextCursor: string | null
}

const path = (query = '') => `/api/orgs/${ours.orgId}/reports${query}`

async function list(query = '', apiKey?: string): Promise<Page> {
  const answer = apiKey
    ? await call(cloud, 'GET', path(query), { headers: { 'x-api-key': apiKey } })
    : await asOperator(cloud, 'GET', path(query))
  expect(answer.status).toBe(200)
  return answer.body as unknown as Page
}

async function listAll(query: string, apiKey?: string): Promise<ReportEntry[]> {
  const all: ReportEntry[] = []
  let cursor: string | null = null
  do {
    const page: Page = await list(`?${query}${cursor === null ? '' : `&cursor=${cursor}`}`, apiKey)
    all.push(...page.reports)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

/** An entry about an override as a key sees it that did not place the override. */
const withoutIds = (entry: ReportEntry): ReportEntry => ({ ...entry, overrideId: null, reqId: null })
const newestFirst = (wanted: (entry: ReportEntry) => boolean = () => true) => sent.filter(wanted).toReversed()

describe('the reports of an organization', () => {
  test('have exactly the fields of the contract, newest first, a hundred per page', async () => {
    const page = await list()
    expect(page.reports).toEqual(newestFirst().slice(0, 100))
    expect(page.nextCursor).toEqual(expect.any(String))
  })

  test.each([[1000], [100], [7], [251], [250]])('are complete, each once, on pages of %i', async (limit) => {
    expect(await listAll(`limit=${limit}`)).toEqual(newestFirst())
  })

  test('have no next cursor on the last page, even when it is full', async () => {
    expect((await list(`?limit=${sent.length}`)).nextCursor).toBeNull()
    expect((await list(`?limit=${sent.length - 1}`)).nextCursor).not.toBeNull()
  })

  test('that arrive during paging do not shift the pages', async () => {
    const first = await list('?limit=200')
    const late = entryOf(annex.deviceId, 2)
    await report(annex, [late])
    const second = await list(`?limit=200&cursor=${first.nextCursor}`)
    expect([...first.reports, ...second.reports]).toEqual(newestFirst())
    sent.push(late)
  })

  test.each<[string, string, (entry: ReportEntry) => boolean]>([
    ['a datapoint', 'datapointId=dp_odd', ({ datapointId }) => datapointId === 'dp_odd'],
    ['a technical system', 'technicalSystemId=ts_last', ({ technicalSystemId }) => technicalSystemId === 'ts_last'],
    ['a code', 'code=4000', ({ code }) => code === 4000],
    ['a start time', 'from=2026-01-01T04:00:00Z', ({ at }) => at >= '2026-01-01T04:00:00.000Z'],
    ['an end time', 'to=2026-01-01T02:30:00%2B02:00', ({ at }) => at < '2026-01-01T00:30:00.000Z'],
    ['a start time in the year 0', 'from=0000-01-01T00:00:00Z', () => true],
    ['an end time in the year 0', 'to=0000-01-01T00:00:00Z', () => false],
    ['a period', 'from=2026-01-01T00:10:00Z&to=2026-01-01T00:11:00Z', ({ seq, at }) => seq === 11 && at < '2026-01-02'],
    [
      'several filters',
      'datapointId=dp_odd&technicalSystemId=ts_last&to=2026-01-02T00:00:00Z',
      (entry) => entry.datapointId === 'dp_odd' && entry.technicalSystemId === 'ts_last',
    ],
    ['an unknown datapoint', 'datapointId=none', () => false],
  ])('can be filtered by %s', async (_what, query, wanted) => {
    expect(await listAll(query)).toEqual(newestFirst(wanted))
  })

  test('can be filtered by device, page by page', async () => {
    const ofAnnex = newestFirst(({ deviceId }) => deviceId === annex.deviceId)
    expect(await listAll(`deviceId=${annex.deviceId}&limit=1`)).toEqual(ofAnnex)
  })

  test('can be filtered by site, also combined with a device', async () => {
    const ofAnnex = newestFirst(({ deviceId }) => deviceId === annex.deviceId)
    expect(await listAll(`siteId=${annex.siteId}`)).toEqual(ofAnnex)
    expect(await listAll(`siteId=${ours.siteId}&limit=1000`)).toEqual(
      newestFirst(({ deviceId }) => deviceId === ours.deviceId),
    )
    expect(await listAll(`siteId=${annex.siteId}&deviceId=${ours.deviceId}`)).toEqual([])
    expect(await listAll(`siteId=${theirs.siteId}`)).toEqual([])
  })

  test('remain after their device is removed', async () => {
    const device = await asOperator(cloud, 'POST', `/api/orgs/${theirs.orgId}/devices`, {
      name: 'Short-lived',
      siteId: theirs.siteId,
    })
    const gone = { ...theirs, deviceId: String(device.body.id), deviceSecret: String(device.body.secret) }
    await report(gone, [entryOf(gone.deviceId, 1)])
    await asOperator(cloud, 'DELETE', `/api/orgs/${theirs.orgId}/devices/${gone.deviceId}`)
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${theirs.orgId}/reports?deviceId=${gone.deviceId}`)
    expect(body.reports).toHaveLength(1)
  })
})

describe('the reports as CSV', () => {
  const csv = async (query = '', apiKey?: string) => {
    const headers: Record<string, string> = apiKey
      ? { 'x-api-key': apiKey }
      : { authorization: `Bearer ${cloud.ready.adminToken}` }
    const answer = await call(cloud, 'GET', path(`?format=csv${query}`), { headers })
    const [columns = '', ...lines] = String(answer.body.text).split('\r\n')
    return { ...answer, columns: columns.split(','), lines: lines.slice(0, -1).map((line) => line.split(',')) }
  }

  test('contain all matching entries, whatever the limit', async () => {
    const { headers, columns, lines } = await csv('&limit=3')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="reports.csv"')
    const column = (name: string) => lines.map((cells) => cells[columns.indexOf(name)])
    expect(column('id')).toEqual(newestFirst().map(({ id }) => id))
    expect(column('at')).toEqual(newestFirst().map(({ at }) => at))
    expect((await csv('&datapointId=none')).lines).toEqual([])
  })

  test('contain all pages', async () => {
    const many = await addTenant(cloud, 'Many')
    const key = (await createKey(cloud, many.orgId, ['edge-device:read_write'])).apiKey
    await report(many, entriesOf(many.deviceId, 2_100))
    const { body } = await call(cloud, 'GET', `/api/orgs/${many.orgId}/reports?format=csv`, {
      headers: { 'x-api-key': key },
    })
    const seqs = String(body.text).split('\r\n').slice(1, -1)
    expect(
      seqs.map((line) => Number(line.split(',').at(REPORT_COLUMNS.indexOf('seq') - REPORT_COLUMNS.length))),
    ).toEqual(Array.from({ length: 2_100 }, (_, index) => 2_100 - index))
  })

  test('contain names, escaped so that spreadsheets do not run them', async () => {
    const site = await addTenant(cloud, 'Named')
    const device = await asOperator(cloud, 'POST', `/api/orgs/${site.orgId}/devices`, {
      name: '=HYPERLINK(1)',
      siteId: site.siteId,
    })
    const named = { ...site, deviceId: String(device.body.id), deviceSecret: String(device.body.secret) }
    const db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
    const document = aSystem('ts_1', [
      aConnection({ id: 'conn_1', name: 'Modbus', datapoints: [aDatapoint({ id: 'dp_1', name: '@Setpoint' })] }),
    ])
    await db
      .insertInto('technical_system')
      .values({ id: 'ts_1', device_id: named.deviceId, name: 'Heating', document: JSON.stringify(document) })
      .execute()
    await db.destroy()
    await report(named, [entryOf(named.deviceId, 1), entryOf(named.deviceId, 2, { datapointId: 'dp_gone' })])
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${named.orgId}/reports?format=csv`)
    const [, second, first] = String(body.text).split('\r\n')
    expect(first).toContain(",'=HYPERLINK(1),Heating,Modbus,'@Setpoint,")
    expect(second).toContain(",'=HYPERLINK(1),Heating,Modbus,,")
  })

  test('contain only the sites of a key', async () => {
    const { apiKey } = await createKey(cloud, ours.orgId, ['edge-device:read_write'], [annex.siteId])
    const ofAnnex = newestFirst(({ deviceId }) => deviceId === annex.deviceId)
    expect((await csv('', apiKey)).lines).toHaveLength(ofAnnex.length)
    expect((await csv(`&siteId=${ours.siteId}`, apiKey)).lines).toEqual([])
    expect((await csv(`&siteId=${annex.siteId}`, apiKey)).lines).toHaveLength(ofAnnex.length)
  })
})

describe('an invalid query', () => {
  test.each([
    ['code=4002', 'code', 'must be one of: 4000, 4001, 4005'],
    ['code=4005x', 'code', 'must be one of: 4000, 4001, 4005'],
    ['code=', 'code', 'must be one of: 4000, 4001, 4005'],
    ['limit=0', 'limit', 'at least 1'],
    ['limit=1001', 'limit', 'at most 1000'],
    ['limit=99999999999999999999', 'limit', 'at most 1000'],
    ['limit=1.5', 'limit', 'type integer'],
    ['limit=ten', 'limit', 'type integer'],
    ['limit=1&limit=2', 'limit', 'type integer'],
    ['cursor=abc', 'cursor', 'must be the nextCursor of an earlier answer'],
    ['cursor=-1', 'cursor', 'must be the nextCursor of an earlier answer'],
    ['cursor=9999999999999999999', 'cursor', 'must be the nextCursor of an earlier answer'],
    ['from=yesterday', 'from', 'must be a time with a zone'],
    ['to=2026-01-31', 'to', 'must be a time with a zone'],
    ['format=xml', 'format', 'must be one of: json, csv'],
    ['siteId=', 'siteId', 'must not be empty'],
    ['deviceId=', 'deviceId', 'must not be empty'],
    ['datapointId=a%00b', 'datapointId', 'U+0000'],
    ['technicalSystemId=a&technicalSystemId=b', 'technicalSystemId', 'type string'],
  ])('%s answers 400 and names the field', async (query, field, message) => {
    const { status, body } = await asOperator(cloud, 'GET', path(`?${query}`))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'INVALID', field, message: expect.stringContaining(message) })
  })
})

describe('a key', () => {
  const key = async (orgId: string, siteIds: string[] | null = null) =>
    (await createKey(cloud, orgId, ['edge-device:read_write'], siteIds)).apiKey

  test('for all sites sees every entry, without the ids of overrides that it did not place', async () => {
    expect(await listAll('limit=1000', await key(ours.orgId))).toEqual(newestFirst().map(withoutIds))
  })

  test('for one site sees only that site, whatever its query', async () => {
    const apiKey = await key(ours.orgId, [annex.siteId])
    const ofAnnex = newestFirst(({ deviceId }) => deviceId === annex.deviceId).map(withoutIds)
    for (const query of ['limit=1', 'limit=1000']) expect(await listAll(query, apiKey)).toEqual(ofAnnex)
    for (const name of ['siteIds', 'organizationId']) {
      const refused = await call(cloud, 'GET', `${path()}?${name}=${ours.siteId}`, { headers: { 'x-api-key': apiKey } })
      expect([refused.status, refused.body.field]).toEqual([400, name])
    }
    for (const query of [`deviceId=${ours.deviceId}`, 'datapointId=dp_odd', 'technicalSystemId=ts_first']) {
      expect(await listAll(query, apiKey)).toEqual([])
    }
  })

  test('for two sites sees both', async () => {
    expect(await listAll('limit=1000', await key(ours.orgId, [ours.siteId, annex.siteId]))).toEqual(
      newestFirst().map(withoutIds),
    )
  })

  test('of another organization sees nothing of ours, even by our ids', async () => {
    const apiKey = await key(theirs.orgId)
    const refused = await call(cloud, 'GET', path(), { headers: { 'x-api-key': apiKey } })
    expect(refused.status).toBe(403)
    const { body } = await call(cloud, 'GET', `/api/orgs/${theirs.orgId}/reports?deviceId=${ours.deviceId}`, {
      headers: { 'x-api-key': apiKey },
    })
    expect(body).toEqual({ reports: [], nextCursor: null })
  })

  test('limits the request even when the admin token is also sent', async () => {
    const authorization = `Bearer ${cloud.ready.adminToken}`
    const ask = (apiKey: string) => call(cloud, 'GET', path(), { headers: { 'x-api-key': apiKey, authorization } })
    expect((await ask('none')).status).toBe(401)
    expect((await ask(await key(theirs.orgId))).status).toBe(403)
    const { body } = await ask(await key(ours.orgId, [annex.siteId]))
    expect(body.reports).toEqual(newestFirst(({ deviceId }) => deviceId === annex.deviceId).map(withoutIds))
  })
})
