import type { Found, Overview, SiteOverview } from '@plantroom/contract/portfolio'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { addPerson, type SignedInHeaders } from '../access/testing/people.ts'
import { openTestDatabase } from '../activity/testing/logs.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let own: Tenant
let foreign: Tenant
/** A second site of `own`, with a controller. */
let second: { siteId: string; deviceId: string }
let viewer: SignedInHeaders

const point = (id: string, name: string, about: object = {}) => ({ id, name, accessType: 'READ', ...about })

/** Commissions datapoints on a device, as the service stores them. */
async function commission(deviceId: string, datapoints: readonly object[], rest: object = {}) {
  const db = openTestDatabase(cloud.config.databaseUrl ?? '')
  const document = JSON.stringify({ connections: [{ datapoints }], ...rest })
  await sql`
    INSERT INTO technical_system (id, device_id, name, document)
    VALUES (${`sys-${deviceId}`}, ${deviceId}, 'System', ${document})
    ON CONFLICT (id) DO UPDATE SET document = excluded.document`.execute(db)
}

beforeAll(async () => {
  cloud = await startTestCloud()
  own = await addTenant(cloud, 'Own')
  foreign = await addTenant(cloud, 'Foreign')
  const org = `/api/orgs/${own.orgId}`
  const site = await asOperator(cloud, 'POST', `${org}/sites`, { name: 'Harbour House' })
  const siteId = String(site.body.id)
  const device = await asOperator(cloud, 'POST', `${org}/devices`, { name: 'Roof 100%', siteId })
  second = { siteId, deviceId: String(device.body.id) }
  const roles = { sites: [{ siteId, role: 'viewer' as const }] }
  viewer = (await addPerson(cloud, own.orgId, 'viewer@example.com', roles)).headers
})
afterAll(() => cloud.stop())

async function overviewOf(tenant: Tenant): Promise<readonly SiteOverview[]> {
  const answer = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/overview`)
  return (answer.body as unknown as Overview).sites
}

describe('the overview', () => {
  test('counts what is held, in trouble, offline and open at each site', async () => {
    const db = openTestDatabase(cloud.config.databaseUrl ?? '')
    await sql`
      INSERT INTO device_state (device_id, received_at, document, held, troubled)
      VALUES (${second.deviceId}, now(), '{}', 4, 1), (${foreign.deviceId}, now(), '{}', 9, 9)`.execute(db)
    await sql`
      INSERT INTO alert (id, organization_id, site_id, kind, subject_kind, subject_id, subject_name, details, began_at,
        opened_at, closed_at)
      VALUES ('open', ${own.orgId}, ${second.siteId}, 'disk-low', 'device', 'a', 'A', '{}', now(), now(), NULL),
        ('over', ${own.orgId}, ${second.siteId}, 'disk-low', 'device', 'b', 'B', '{}', now(), now(), now()),
        ('other', ${foreign.orgId}, ${foreign.siteId}, 'disk-low', 'device', 'c', 'C', '{}', now(), now(), NULL)
    `.execute(db)
    await sql`
      INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at)
      VALUES ('t1', ${own.siteId}, 1, '1', 'Leak', 'open', now(), now()),
        ('t2', ${own.siteId}, 2, '2', 'Done', 'closed', now(), now())`.execute(db)
    const found = await overviewOf(own)
    expect(found).toMatchObject([
      {
        ...{ id: second.siteId, name: 'Harbour House', timeZone: 'UTC', openRequests: null, power: null },
        ...{ held: 4, heldOffline: 4, troubled: 1, alerts: 1 },
        controllers: { names: ['Roof 100%'], offline: 1, unheard: 0 },
      },
      {
        ...{ id: own.siteId, held: 0, alerts: 0, openRequests: 1 },
        controllers: { names: ['Device'], offline: 1, unheard: 1 },
      },
    ])
  })

  test('sums the latest values of the meters of a site, and knows no power without a recent one', async () => {
    const db = openTestDatabase(cloud.config.databaseUrl ?? '')
    await commission(own.deviceId, [point('other', 'Other'), point('grid', 'Grid power', { unit: 'W' })], {
      peakShaving: { meterId: 'grid' },
    })
    expect((await overviewOf(own)).find(({ id }) => id === own.siteId)?.power).toEqual({
      ...{ value: null, unit: 'kW', at: null },
    })
    const now = Date.now()
    await sql`
      INSERT INTO measurement_series (device_id, datapoint_id, group_id, slot)
      VALUES (${own.deviceId}, 'other', 1, 1), (${own.deviceId}, 'grid', 1, 2)`.execute(db)
    const frame = (at: number, values: string) =>
      sql`INSERT INTO measurement_frame (group_id, at, vals) VALUES (1, ${at}, ${values}::double precision[])`.execute(
        db,
      )
    await frame(now - 20 * 60_000, '{1,9000}')
    const power = async () => (await overviewOf(own)).find(({ id }) => id === own.siteId)?.power
    expect(await power()).toMatchObject({ value: null })
    await frame(now - 120_000, '{1,4000}')
    // Other datapoints of the group have newer values, and a controller's clock may be an hour ahead.
    await frame(now - 1000, '{1,NULL}')
    await frame(now + 3_600_000, '{1,7000}')
    expect(await power()).toEqual({ value: 4, unit: 'kW', at: new Date(now - 120_000).toISOString() })
  })

  test('takes the meter of a power limit for the power of a site, and shows the limit in force', async () => {
    const db = openTestDatabase(cloud.config.databaseUrl ?? '')
    const powerLimit = { meterId: 'main', meterKwPerUnit: 1, guaranteedKw: 4, loads: [] }
    await commission(second.deviceId, [point('main', 'Main meter', { unit: 'kW' })], { powerLimit })
    const at = Date.now()
    await sql`
      INSERT INTO measurement_series (device_id, datapoint_id, group_id, slot)
      VALUES (${second.deviceId}, 'main', 2, 1)`.execute(db)
    await sql`INSERT INTO measurement_frame (group_id, at, vals) VALUES (2, ${at}, '{58}')`.execute(db)
    const limited = {
      ...{ meterId: 'main', state: 'exhausted', importKw: 60, exportKw: null, meterKw: 61, meanKw: 61 },
      limits: [{ id: 'lim', placedBy: 'key_of_a_stranger' }],
    }
    const say = (state: object) =>
      sql`
        INSERT INTO device_state (device_id, received_at, document, held, troubled)
        VALUES (${second.deviceId}, now(), ${JSON.stringify({ powerLimit: state })}, 0, 0)
        ON CONFLICT (device_id) DO UPDATE SET document = excluded.document`.execute(db)
    const seen = async () => (await overviewOf(own)).find(({ id }) => id === second.siteId)
    await say(limited)
    expect(await seen()).toMatchObject({ power: { value: 58, unit: 'kW', at: new Date(at).toISOString() } })
    expect((await seen())?.powerLimits).toEqual([
      { deviceId: second.deviceId, state: 'exhausted', importKw: 60, exportKw: null, isOnline: false },
    ])
    await say({ ...limited, state: 'unlimited', importKw: null })
    expect((await seen())?.powerLimits).toEqual([])
  })

  test('shows a person their sites only', async () => {
    const seen = await call(cloud, 'GET', `/api/orgs/${own.orgId}/overview`, { headers: viewer })
    expect((seen.body as unknown as Overview).sites.map(({ id }) => id)).toEqual([second.siteId])
    expect((await call(cloud, 'GET', `/api/orgs/${foreign.orgId}/overview`, { headers: viewer })).status).toBe(403)
  })
})

describe('the search', () => {
  const find = async (query: string, headers?: SignedInHeaders): Promise<Found> => {
    const path = `/api/orgs/${own.orgId}/search?${query}`
    const answer = headers ? await call(cloud, 'GET', path, { headers }) : await asOperator(cloud, 'GET', path)
    return answer.body as unknown as Found
  }
  const names = async (text: string) => {
    const { sites, devices, datapoints } = await find(`q=${encodeURIComponent(text)}`)
    return [...sites, ...devices, ...datapoints].map(({ name }) => name)
  }

  test('finds sites, controllers and datapoints whose names, with their place, have every word', async () => {
    await commission(second.deviceId, [point('fan', 'Zuluftventilator ÄÖ'), point('flow', 'Flow_temperature')])
    await commission(foreign.deviceId, [point('secret', 'Flow_temperature of a stranger')])
    expect(await names('HARBOUR')).toEqual(['Harbour House'])
    expect(await names('äö')).toEqual(['Zuluftventilator ÄÖ'])
    expect(await names('harbour flow')).toEqual(['Flow_temperature'])
    expect(await names('flow nowhere')).toEqual([])
    const { datapoints } = await find('q=flow')
    expect(datapoints).toEqual([
      {
        ...{ id: 'flow', name: 'Flow_temperature', deviceId: second.deviceId, deviceName: 'Roof 100%' },
        ...{ siteId: second.siteId, siteName: 'Harbour House' },
      },
    ])
  })

  test('follows a new commissioning file', async () => {
    await commission(second.deviceId, [point('fan', 'Renamed fan')])
    expect(await names('zuluft')).toEqual([])
    expect(await names('renamed')).toEqual(['Renamed fan'])
  })

  test.each([['%'], ['_'], ['\\'], ['%_%'], ["'; DROP TABLE site; --"], ['   ']])('takes %j as it is', async (text) => {
    const isInName = text === '%'
    expect(await names(text)).toEqual(isInName ? ['Roof 100%'] : [])
  })

  test('finds requests by number, those of the asked site first', async () => {
    const db = openTestDatabase(cloud.config.databaseUrl ?? '')
    await sql`UPDATE site SET maintenance_requests = true WHERE id = ${second.siteId}`.execute(db)
    await sql`
      INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at)
      VALUES ('a', ${own.siteId}, 299, 'a', 'Here', 'open', now(), now()),
        ('b', ${second.siteId}, 299, 'b', 'There', 'closed', now(), now()),
        ('c', ${foreign.siteId}, 299, 'c', 'Foreign', 'open', now(), now())`.execute(db)
    const titles = async (query: string, headers?: SignedInHeaders) =>
      (await find(query, headers)).requests.map(({ title }) => title)
    expect(await titles('q=%23299')).toEqual(['There', 'Here'])
    expect(await titles(`q=299&siteId=${own.siteId}`)).toEqual(['Here', 'There'])
    expect(await titles('q=999999999')).toEqual([])
    expect(await titles('q=299', viewer)).toEqual(['There'])
    await sql`UPDATE site SET maintenance_requests = false WHERE id = ${second.siteId}`.execute(db)
    expect(await titles('q=299')).toEqual(['Here'])
  })

  test('shows a person what their sites have, and refuses a text that is too long', async () => {
    expect(await find('q=device', viewer)).toMatchObject({ sites: [], devices: [], datapoints: [] })
    expect(await find('q=roof', viewer)).toMatchObject({ devices: [{ id: second.deviceId }] })
    const path = `/api/orgs/${own.orgId}/search?q=`
    expect((await asOperator(cloud, 'GET', path)).status).toBe(400)
    expect((await asOperator(cloud, 'GET', `${path}%00`)).status).toBe(400)
    expect((await asOperator(cloud, 'GET', path + 'x'.repeat(101))).status).toBe(400)
    expect((await call(cloud, 'GET', `/api/orgs/${foreign.orgId}/search?q=x`, { headers: viewer })).status).toBe(403)
  })

  test('finds tags with the number of the sites that the person sees', async () => {
    const db = openTestDatabase(cloud.config.databaseUrl ?? '')
    const tagged = [
      { organization_id: own.orgId, site_id: own.siteId, tag: 'Old north' },
      { organization_id: own.orgId, site_id: own.siteId, tag: 'North' },
      { organization_id: own.orgId, site_id: second.siteId, tag: 'North' },
      { organization_id: foreign.orgId, site_id: foreign.siteId, tag: 'North of a stranger' },
    ]
    await db.insertInto('site_tag').values(tagged).execute()
    const both = { tag: 'North', sites: 2 }
    expect((await find('q=NORTH')).tags).toEqual([both, { tag: 'Old north', sites: 1 }])
    expect((await find('q=north', viewer)).tags).toEqual([{ tag: 'North', sites: 1 }])
    expect((await find('q=harbour')).tags).toEqual([])
  })

  test('returns at most 20 of each kind', async () => {
    await commission(
      second.deviceId,
      Array.from({ length: 50 }, (_, index) => point(`p${index}`, `Pump ${index}`)),
    )
    const { datapoints } = await find('q=pump')
    expect(datapoints).toHaveLength(20)
    expect(datapoints[0]?.name).toBe('Pump 0')
  })
})
