import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { addPerson, signIn } from '../access/testing/people.ts'
import { sweepRemovedSites } from './removed-files.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db

beforeAll(async () => {
  cloud = await startTestCloud()
  db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
})
afterAll(async () => {
  await db?.destroy()
  await cloud?.stop()
})

const removeDevice = ({ orgId, deviceId }: Tenant) =>
  asOperator(cloud, 'DELETE', `/api/orgs/${orgId}/devices/${deviceId}`)
const removeSite = ({ orgId, siteId }: Tenant, query = '') =>
  asOperator(cloud, 'DELETE', `/api/orgs/${orgId}/sites/${siteId}${query}`)
const removeOrganization = ({ orgId }: Tenant, query = '') => asOperator(cloud, 'DELETE', `/api/orgs/${orgId}${query}`)
const activityOf = async (chain: string) =>
  (
    await sql<{ entry: string }>`SELECT entry FROM activity WHERE chain = ${chain} ORDER BY seq DESC`.execute(db)
  ).rows.map(({ entry }) => JSON.parse(entry) as Record<string, unknown>)

async function addRequests({ orgId, siteId }: Tenant): Promise<void> {
  const requests = `/api/orgs/${orgId}/properties/${siteId}/tickets`
  for (const title of ['Tap drips', 'Lamp is dark']) {
    const { status } = await asOperator(cloud, 'POST', requests, { title, tags: ['water'] })
    expect(status).toBe(201)
  }
}

describe('removing a site', () => {
  test('is refused while it has devices, which are named', async () => {
    const tenant = await addTenant(cloud, 'With devices')
    const { status, body } = await removeSite(tenant, '?confirm=true')
    expect([status, body.code, body.message]).toEqual([
      409,
      'CONFLICT',
      'the site "Site" still has the devices "Device": release what they hold, then remove them first',
    ])
  })

  test('is refused while a job is unfinished', async () => {
    const tenant = await addTenant(cloud, 'With a job')
    await removeDevice(tenant)
    await sql`INSERT INTO job (id, organization_id, site_id, name, max_attempts, filename)
      VALUES ('job_1', ${tenant.orgId}, ${tenant.siteId}, 'TICKET_IMPORT', 3, 'x.fpl')`.execute(db)
    expect(await removeSite(tenant, '?confirm=true')).toMatchObject({
      status: 409,
      body: { message: 'the site "Site" has 1 unfinished import or export: wait until they have ended' },
    })
  })

  test('with something in it needs a confirmation, and says what it loses', async () => {
    const tenant = await addTenant(cloud, 'With requests')
    await removeDevice(tenant)
    await addRequests(tenant)
    await createKey(cloud, tenant.orgId, ['ticket:read'], [tenant.siteId])
    await addPerson(cloud, tenant.orgId, 'only@example.com', { sites: [{ siteId: tenant.siteId, role: 'viewer' }] })
    const second = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, { name: 'Second' })
    const both = [tenant.siteId, String(second.body.id)].map((siteId) => ({ siteId, role: 'viewer' as const }))
    await addPerson(cloud, tenant.orgId, 'stays@example.com', { sites: both })
    await sql`INSERT INTO unit (id, site_id, name) VALUES ('unit_1', ${tenant.siteId}, 'A1'), ('unit_2', ${tenant.siteId}, 'A2')`.execute(
      db,
    )
    const asked = await removeSite(tenant)
    expect([asked.status, asked.body.code, asked.body.message]).toEqual([
      409,
      'CONFIRMATION_REQUIRED',
      'removing the site "Site" loses 2 maintenance requests, 2 units, 1 tag, 2 roles of members, 1 account that has no other role and 1 API key that reaches nothing else',
    ])
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}/tickets`)
    expect(body.tickets).toHaveLength(2)

    expect((await removeSite(tenant, '?confirm=true')).status).toBe(204)
    expect((await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/sites`)).body).toMatchObject({
      sites: [{ name: 'Second' }],
    })
    for (const table of ['ticket', 'tag', 'ticket_number', 'membership', 'api_key_site']) {
      const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE site_id = ${tenant.siteId}`.execute(db)
      expect([table, rows.length]).toEqual([table, 0])
    }
    expect((await signIn(cloud, 'only@example.com')).status).toBe(401)
    expect((await activityOf(tenant.orgId))[0]).toMatchObject({
      action: 'site-removed',
      subject: { kind: 'site', id: tenant.siteId, name: 'Site' },
      details: { requests: 2, units: 2, tags: 1, members: 2, accounts: 1, keys: 1 },
    })
    expect((await removeSite(tenant)).status).toBe(404)
    expect((await signIn(cloud, 'stays@example.com')).status).toBe(200)
    const again = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, { name: 'Site' })
    expect(again.status).toBe(201)
  })

  test('without anything in it needs no confirmation, and no other organization can do it', async () => {
    const [ours, theirs] = [await addTenant(cloud, 'Ours'), await addTenant(cloud, 'Theirs')]
    await removeDevice(ours)
    expect((await removeSite({ ...theirs, siteId: ours.siteId })).status).toBe(404)
    expect((await removeSite(ours)).status).toBe(204)
  })

  test('leaves its files for a day, for backups that have begun', async () => {
    const tenant = await addTenant(cloud, 'With files')
    await removeDevice(tenant)
    await removeSite(tenant)
    const removed: string[] = []
    const clock = createManualClock(Date.now())
    const files = { removeSite: async (...ids: string[]) => void removed.push(ids.join()) }
    const deps = { db, files, clock, log: createLog('test', 'silent') }
    await sweepRemovedSites(deps)
    expect(removed).toEqual([])
    await clock.advance(25 * 3_600_000)
    await sweepRemovedSites(deps)
    expect(removed).toContain(`${tenant.orgId},${tenant.siteId}`)
    expect(await sweepRemovedSites(deps)).toBe(0)
  })
})

describe('removing an organization', () => {
  test('is refused while it has sites, which are named', async () => {
    const tenant = await addTenant(cloud, 'With a site')
    expect(await removeOrganization(tenant, '?confirm=true')).toMatchObject({
      status: 409,
      body: {
        code: 'CONFLICT',
        message: 'the organization "With a site" still has the sites "Site": remove them first',
      },
    })
    expect((await removeOrganization({ ...tenant, orgId: 'org_none' })).status).toBe(404)
  })

  test('is refused while it has OpenADR programs, and needs a confirmation while something is left at a VTN', async () => {
    const tenant = await addTenant(cloud, 'With a program')
    await removeDevice(tenant)
    await removeSite(tenant)
    const settings = { vtnUrl: 'https://vtn.example', clientId: 'ven', venName: 'ven' }
    const connection = sql`${JSON.stringify(settings)}::jsonb, ''::bytea, 'token'`
    await sql`INSERT INTO openadr_program (id, organization_id, name, active, settings, secret, notify_token, site_ids)
      VALUES ('adr_1', ${tenant.orgId}, 'Evening peak', true, ${connection}, '{}')`.execute(db)
    expect(await removeOrganization(tenant, '?confirm=true')).toMatchObject({
      status: 409,
      body: {
        code: 'CONFLICT',
        message:
          'the organization "With a program" still has the OpenADR programs "Evening peak": remove them first, so that what they made at their VTNs is deleted there',
      },
    })
    await sql`DELETE FROM openadr_program WHERE id = 'adr_1'`.execute(db)
    await sql`INSERT INTO openadr_cleanup
      (id, organization_id, program_id, program_name, settings, secret, notify_token, subscriptions, resources, created_at, due_at)
      VALUES ('cln_1', ${tenant.orgId}, 'adr_1', 'Evening peak', ${connection}, '{}', '{}', now(), now())`.execute(db)
    expect((await removeOrganization(tenant)).body).toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
      message: 'removing the organization "With a program" loses 1 deletion at a VTN that is not done yet',
    })
    expect((await removeOrganization(tenant, '?confirm=true')).status).toBe(204)
  })

  test('with people or keys needs a confirmation; both end with it', async () => {
    const [gone, other] = [await addTenant(cloud, 'Gone'), await addTenant(cloud, 'Other')]
    await removeDevice(gone)
    await removeSite(gone)
    const { apiKey } = await createKey(cloud, gone.orgId, ['measurement:read'])
    await addPerson(cloud, gone.orgId, 'here@example.com', { role: 'admin' })
    await addPerson(cloud, other.orgId, 'both@example.com', { role: 'admin' })
    await asOperator(cloud, 'POST', `/api/orgs/${gone.orgId}/members`, { email: 'both@example.com', role: 'admin' })
    await asOperator(cloud, 'POST', `/api/orgs/${gone.orgId}/members`, { email: 'new@example.com', role: 'admin' })
    await sql`INSERT INTO report (device_id, id, organization_id, site_id, code, at, technical_system_id, connection_id,
      datapoint_id, phase, reason, seq) VALUES ('dev_1', 'rep_1', ${gone.orgId}, ${gone.siteId}, 4005, now(), 'sys_1', 'con_1',
      'dp_1', 'applied', 'override', 1)`.execute(db)

    expect(await removeOrganization(gone)).toMatchObject({
      status: 409,
      body: {
        code: 'CONFIRMATION_REQUIRED',
        message:
          'removing the organization "Gone" loses 3 members, 2 accounts without another organization, 1 API key and 1 audit entry',
      },
    })
    expect((await removeOrganization(gone, '?confirm=true')).status).toBe(204)
    const { body } = await asOperator(cloud, 'GET', '/api/orgs')
    expect((body.organizations as { name: string }[]).map(({ name }) => name)).not.toContain('Gone')
    const reports = `/api/orgs/${gone.orgId}/reports`
    expect((await call(cloud, 'GET', reports, { headers: { 'x-api-key': apiKey } })).status).toBe(401)
    expect((await signIn(cloud, 'here@example.com')).status).toBe(401)
    expect((await signIn(cloud, 'both@example.com')).status).toBe(200)
    const removal = { action: 'organization-removed', subject: { kind: 'organization', id: gone.orgId, name: 'Gone' } }
    expect((await activityOf('service'))[0]).toMatchObject({ ...removal, organizationId: null })
    expect((await activityOf(gone.orgId))[0]).toMatchObject(removal)
    expect((await asOperator(cloud, 'POST', '/api/orgs', { name: 'Gone' })).status).toBe(201)
  })
})

/** A new table either goes with the site or organization, or the removal has to delete from it. */
test('every table that refers to a site or an organization is removed with it', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT confrelid::regclass || ' ' || conrelid::regclass AS name FROM pg_constraint
    WHERE contype = 'f' AND confdeltype = 'a' AND confrelid IN ('site'::regclass, 'organization'::regclass)
    ORDER BY name`.execute(db)
  const removed = ['account_link', 'api_key', 'membership', 'pending_membership', 'report', 'report_chain']
  const ofSite = ['job', 'mail', 'person', 'tag', 'ticket', 'ticket_number', 'unit']
  const refused = ['organization site', 'site device']
  const known = [...removed.map((name) => `organization ${name}`), ...ofSite.map((name) => `site ${name}`), ...refused]
  expect(rows.map(({ name }) => name)).toEqual(known.toSorted())
})

/** Otherwise each of thousands of deleted rows reads a whole table, and the removal of a large site takes hours. */
test('every reference to requests and people has an index', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT conname AS name FROM pg_constraint
    WHERE contype = 'f' AND confrelid IN ('ticket'::regclass, 'person'::regclass) AND NOT EXISTS (
      SELECT FROM pg_index WHERE indrelid = conrelid AND (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
    )`.execute(db)
  expect(rows).toEqual([])
})

describe('renaming', () => {
  test('a device keeps its id, and is refused for a taken name', async () => {
    const { orgId, siteId, deviceId } = await addTenant(cloud, 'With two devices')
    const devices = `/api/orgs/${orgId}/devices`
    await asOperator(cloud, 'POST', devices, { name: 'Taken', siteId })
    const rename = (name: string, id = deviceId) => asOperator(cloud, 'PATCH', `${devices}/${id}`, { name })
    expect(await rename('Boiler room')).toMatchObject({
      status: 200,
      body: { id: deviceId, name: 'Boiler room', siteId },
    })
    expect((await asOperator(cloud, 'GET', devices)).body.devices).toMatchObject([{ name: 'Boiler room' }, {}])
    expect(await rename('Taken')).toMatchObject({
      status: 409,
      body: { message: 'this site already has a device "Taken"' },
    })
    expect((await rename('x', 'dev_none')).status).toBe(404)
    expect((await activityOf(orgId))[0]).toMatchObject({ action: 'device-renamed', subject: { name: 'Boiler room' } })
  })

  test('an organization keeps its id, and is refused for a taken name', async () => {
    const { orgId } = await addTenant(cloud, 'Before')
    await addTenant(cloud, 'Taken')
    const rename = (name: string) => asOperator(cloud, 'PATCH', `/api/orgs/${orgId}`, { name })
    expect(await rename('After')).toMatchObject({ status: 200, body: { id: orgId, name: 'After' } })
    expect(await rename('Taken')).toMatchObject({
      status: 409,
      body: { message: 'there is already an organization "Taken"' },
    })
    expect((await activityOf(orgId))[0]).toMatchObject({ action: 'organization-changed', details: { name: 'After' } })
  })
})
