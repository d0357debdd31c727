import type { MemberRoles } from '@plantroom/contract/roles'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { addPerson } from '../access/testing/people.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
})
afterAll(() => cloud?.stop())

const sites = (orgId = tenant.orgId) => `/api/orgs/${orgId}/sites`
const add = (body: object) => asOperator(cloud, 'POST', sites(), body)
const change = (siteId: string, body: object, orgId = tenant.orgId) =>
  asOperator(cloud, 'PATCH', `${sites(orgId)}/${siteId}`, body)
const listed = async (id: unknown) =>
  ((await asOperator(cloud, 'GET', sites())).body.sites as { id: string }[]).find((site) => site.id === id)

const NOT_ZONES = ['Mars/Olympus', '', ' ', '+02:00', '-05', 'Europe/Tallinn ', '2', 'Europe/Tallinn\n', '../UTC']

describe('a site', () => {
  test('has UTC, and Maintenance Requests off, by default', async () => {
    const { status, body } = await add({ name: 'Plain' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Plain',
        timeZone: 'UTC',
        maintenanceRequests: false,
        tags: [],
        createdAt: expect.any(String),
      },
    ])
    expect(await listed(body.id)).toEqual(body)
  })

  test('is listed with its time zone', async () => {
    const { body } = await add({ name: 'Tallinn', timeZone: 'Europe/Tallinn' })
    expect(body).toMatchObject({ name: 'Tallinn', timeZone: 'Europe/Tallinn' })
    expect(await listed(body.id)).toEqual(body)
  })

  test.each(NOT_ZONES)('cannot have the time zone "%s"', async (timeZone) => {
    const { status, body } = await add({ name: 'Nowhere', timeZone })
    expect({ status, ...body }).toMatchObject({
      status: 400,
      code: 'INVALID',
      field: 'timeZone',
      message: `timeZone: "${timeZone.replace('\n', '\\n')}" is not a time zone: use an IANA name, for example Europe/Tallinn`,
    })
    const names = (await asOperator(cloud, 'GET', sites())).body.sites as { name: string }[]
    expect(names.map(({ name }) => name)).not.toContain('Nowhere')
  })

  test('cannot have a time zone that is not text', async () => {
    expect((await add({ name: 'Nowhere', timeZone: 2 })).body).toMatchObject({ code: 'INVALID', field: 'timeZone' })
  })
})

describe('the sites of an organization', () => {
  test('are all visible to administrators; others see the sites where they have a role', async () => {
    const other = String((await add({ name: 'Not for everybody' })).body.id)
    const seenBy = async (email: string, roles: MemberRoles) => {
      const { headers } = await addPerson(cloud, tenant.orgId, email, roles)
      const { body } = await call(cloud, 'GET', sites(), { headers })
      return (body.sites as { id: string }[]).map(({ id }) => id)
    }
    const all = await seenBy('admin@example.com', { role: 'admin' })
    expect(all).toContain(tenant.siteId)
    expect(all).toContain(other)
    expect(await seenBy('viewer@example.com', { sites: [{ siteId: tenant.siteId, role: 'viewer' }] })).toEqual([
      tenant.siteId,
    ])
  })

  test('do not include sites of another organization', async () => {
    const other = await addTenant(cloud, 'Neighbor')
    const { headers } = await addPerson(cloud, tenant.orgId, 'neighbor@example.com', { role: 'admin' })
    const listedFor = async (headers: Record<string, string>, orgId: string) => {
      const { body } = await call(cloud, 'GET', sites(orgId), { headers })
      return (body.sites as { id: string }[] | undefined)?.map(({ id }) => id)
    }
    const operator = { authorization: `Bearer ${cloud.ready.adminToken}` }
    for (const caller of [operator, headers]) {
      const ids = await listedFor(caller, tenant.orgId)
      expect(ids).toContain(tenant.siteId)
      expect(ids).not.toContain(other.siteId)
    }
    expect(await listedFor(operator, other.orgId)).toEqual([other.siteId])
    expect(await listedFor(headers, other.orgId)).toBeUndefined()
  })
})

describe('changing a site', () => {
  test('to a new time zone changes only that, and says what is left to do', async () => {
    const before = (await add({ name: 'Moves' })).body
    const { status, body } = await change(String(before.id), { timeZone: 'Asia/Tokyo' })
    const after = { ...before, timeZone: 'Asia/Tokyo' }
    const note = 'commission the devices of this site again: until then they use the old time zone'
    expect([status, body]).toEqual([200, { ...after, note }])
    expect(await listed(before.id)).toEqual(after)
  })

  test('to a new name leaves the time zone unchanged', async () => {
    const before = (await add({ name: 'Old name', timeZone: 'Asia/Tokyo' })).body
    const { status, body } = await change(String(before.id), { name: 'New name' })
    expect([status, body]).toEqual([200, { ...before, name: 'New name' }])
  })

  test('turns Maintenance Requests on and off', async () => {
    const { id } = (await add({ name: 'Switched', maintenanceRequests: true })).body
    expect(await listed(id)).toMatchObject({ maintenanceRequests: true })
    expect((await change(String(id), { maintenanceRequests: false })).body).toMatchObject({
      maintenanceRequests: false,
    })
    expect(await listed(id)).toMatchObject({ maintenanceRequests: false })
  })

  test.each([
    ['with maintenanceRequests that is not a boolean', { maintenanceRequests: 'on' }, 'maintenanceRequests'],
    ['to an unknown time zone', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['to a blank name', { name: ' ' }, 'name'],
    ['without any change', {}, 'body'],
    ['of a read-only field', { id: 'site_other' }, 'id'],
  ])('%s answers 400 and changes nothing', async (_what, body, field) => {
    const before = await listed(tenant.siteId)
    const answer = await change(tenant.siteId, body)
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 400, code: 'INVALID', field })
    expect(await listed(tenant.siteId)).toEqual(before)
  })

  test('with one invalid field of two changes neither', async () => {
    const before = await listed(tenant.siteId)
    expect((await change(tenant.siteId, { name: 'Renamed', timeZone: 'Mars/Olympus' })).status).toBe(400)
    expect(await listed(tenant.siteId)).toEqual(before)
  })

  test('to the name of another site answers 409', async () => {
    await add({ name: 'Taken' })
    const { status, body } = await change(tenant.siteId, { name: 'Taken' })
    expect([status, body.message]).toEqual([409, 'there is already a site "Taken"'])
  })

  test('that is unknown or of another organization answers 404 and changes nothing', async () => {
    const other = await addTenant(cloud, 'Other organization')
    for (const siteId of ['site_none', other.siteId]) {
      const { status, body } = await change(siteId, { timeZone: 'Asia/Tokyo' })
      expect([status, body.message]).toEqual([404, `this organization has no site ${siteId}`])
    }
    expect((await asOperator(cloud, 'GET', sites(other.orgId))).body.sites).toMatchObject([{ timeZone: 'UTC' }])
  })
})

describe('how long measurements are kept', () => {
  const days = (measurementDays: unknown, id = tenant.orgId) =>
    asOperator(cloud, 'PATCH', `/api/orgs/${id}`, { measurementDays })

  test('is for ever, until an administrator changes it; the other settings stay as they are', async () => {
    const before = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}`)
    expect(before.body).toMatchObject({ measurementDays: null, requireSecondFactor: false })
    expect((await days(400)).body).toMatchObject({ measurementDays: 400, requireSecondFactor: false })
    const other = await asOperator(cloud, 'PATCH', `/api/orgs/${tenant.orgId}`, { requireSecondFactor: false })
    expect(other.body).toMatchObject({ measurementDays: 400 })
    expect((await days(null)).body).toMatchObject({ measurementDays: null })
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity?action=organization-changed`)
    expect(body.entries).toMatchObject([
      { details: { measurementDays: null } },
      { details: { requireSecondFactor: false } },
      { details: { measurementDays: 400 } },
    ])
  })

  test.each([[0], [-1], [1.5], [36_501], ['many']])('cannot be %s days', async (value) => {
    const { status, body } = await days(value)
    expect([status, body.field]).toEqual([400, 'measurementDays'])
  })

  test('cannot be changed by a manager, nor in another organization, nor to nothing', async () => {
    const other = await asOperator(cloud, 'POST', '/api/orgs', { name: 'Forgetful' })
    const { headers: foreign } = await addPerson(cloud, String(other.body.id), 'admin@forgetful.ee', { role: 'admin' })
    const roles: MemberRoles = { sites: [{ siteId: tenant.siteId, role: 'manager' }] }
    const { headers: manager } = await addPerson(cloud, tenant.orgId, 'manager@kept.ee', roles)
    for (const headers of [foreign, manager]) {
      const refused = await call(cloud, 'PATCH', `/api/orgs/${tenant.orgId}`, { headers, body: { measurementDays: 1 } })
      expect(refused.status).toBe(403)
    }
    expect((await days(1, 'org_none')).status).toBe(404)
    expect((await asOperator(cloud, 'PATCH', `/api/orgs/${tenant.orgId}`, {})).body).toMatchObject({ field: 'body' })
    expect((await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}`)).body).toMatchObject({ measurementDays: null })
  })
})
