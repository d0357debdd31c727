import { once } from 'node:events'
import { newId } from '@plantroom/base/ids'
import type { Member, MemberRoles, SignedIn } from '@plantroom/contract/roles'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStream } from '../../platform/streams/testing/open-stream.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { addPerson, fromOwnPage, PASSWORD, type SignedInHeaders } from './testing/people.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
/** An organization with a device on its site. */
let tenant: Tenant
/** Another site of it. */
let mill: string

beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())
beforeEach(async () => {
  tenant = await addTenant(cloud, newId('Organization'))
  mill = await addSite('Mill')
})

const inOrganization = (path: string) => `/api/orgs/${tenant.orgId}/${path}`
const addSite = async (name: string) =>
  String((await asOperator(cloud, 'POST', inOrganization('sites'), { name })).body.id)
const tag = (siteIds: readonly string[], changes: { add?: string[]; remove?: string[] }, orgId = tenant.orgId) =>
  asOperator(cloud, 'PATCH', `/api/orgs/${orgId}/site-tags`, { siteIds, ...changes })
const add = (roles: MemberRoles, orgId = tenant.orgId) =>
  addPerson(cloud, orgId, `${newId('person')}@example.com`, roles)
const north = (role: 'viewer' | 'manager') => ({ tags: [{ tag: 'north', role }] })

/** The role of a person by site, as the session and the list of sites say it: they must agree. */
async function rolesOf(headers: SignedInHeaders): Promise<Record<string, string>> {
  const { organizations } = (await call(cloud, 'GET', '/api/session', { headers })).body as unknown as SignedIn
  const sites = organizations.find(({ id }) => id === tenant.orgId)?.sites ?? []
  const { status, body } = await call(cloud, 'GET', inOrganization('sites'), { headers })
  const listed = status === 200 ? (body.sites as { id: string }[]).map(({ id }) => id) : []
  expect(listed.toSorted()).toEqual(sites.map(({ id }) => id).toSorted())
  return Object.fromEntries(sites.map(({ id, role }) => [id, role]))
}

/** Whether a person may do what needs a manager of the site. */
async function manages(headers: SignedInHeaders, siteId: string): Promise<boolean> {
  const path = inOrganization(`sites/${siteId}/alerts/none`)
  return (await call(cloud, 'PATCH', path, { headers, body: { acknowledged: true } })).status !== 403
}

describe('a role by tag', () => {
  test('is for the sites with the tag, also those that get it later, and ends where it is taken away', async () => {
    await tag([tenant.siteId], { add: ['north'] })
    const { headers } = await add(north('manager'))
    expect(await rolesOf(headers)).toEqual({ [tenant.siteId]: 'manager' })
    expect([await manages(headers, tenant.siteId), await manages(headers, mill)]).toEqual([true, false])

    await tag([mill], { add: ['north'] })
    expect(await rolesOf(headers)).toEqual({ [tenant.siteId]: 'manager', [mill]: 'manager' })
    expect(await manages(headers, mill)).toBe(true)

    await tag([tenant.siteId], { remove: ['north'] })
    expect(await rolesOf(headers)).toEqual({ [mill]: 'manager' })
    expect(await manages(headers, tenant.siteId)).toBe(false)
  })

  test('gives nothing while no site has the tag', async () => {
    const { headers } = await add(north('manager'))
    expect(await rolesOf(headers)).toEqual({})
    expect((await call(cloud, 'GET', inOrganization('overview'), { headers })).status).toBe(403)
  })

  test('gives nothing for the same tag in another organization', async () => {
    const other = await addTenant(cloud, newId('Other'))
    await tag([other.siteId], { add: ['north'] }, other.orgId)
    const { headers } = await add(north('manager'))
    expect(await rolesOf(headers)).toEqual({})
    expect((await call(cloud, 'GET', inOrganization('overview'), { headers })).status).toBe(403)
    const theirs = await call(cloud, 'GET', `/api/orgs/${other.orgId}/sites`, { headers })
    expect(theirs.status).toBe(403)
    // And the other way round: a member there has nothing here.
    await tag([tenant.siteId], { add: ['north'] })
    const stranger = await add(north('manager'), other.orgId)
    expect(await manages(stranger.headers, tenant.siteId)).toBe(false)
  })

  test('gives nothing for a tag that differs in letter case', async () => {
    await tag([tenant.siteId], { add: ['North'] })
    expect(await rolesOf((await add(north('manager'))).headers)).toEqual({})
  })

  test.each([
    ['viewer', 'manager'],
    ['manager', 'viewer'],
  ] as const)('of a %s beside the own role of a %s: the higher one counts', async (byTag, own) => {
    await tag([tenant.siteId], { add: ['north'] })
    const { headers } = await add({ ...north(byTag), sites: [{ siteId: tenant.siteId, role: own }] })
    expect(await rolesOf(headers)).toEqual({ [tenant.siteId]: 'manager' })
    expect(await manages(headers, tenant.siteId)).toBe(true)
    await tag([tenant.siteId], { remove: ['north'] })
    expect(await rolesOf(headers)).toEqual({ [tenant.siteId]: own })
    expect(await manages(headers, tenant.siteId)).toBe(own === 'manager')
  })

  test('is only an offer until the person accepts', async () => {
    await tag([tenant.siteId], { add: ['north'] })
    const email = `${newId('person')}@example.com`
    const invited = await asOperator(cloud, 'POST', inOrganization('members'), { email, ...north('viewer') })
    expect(invited.body).toMatchObject({ invited: true, role: null, allSites: null, ...north('viewer'), sites: [] })
    const assignable = async () => {
      const open = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}/people`)
      return JSON.stringify(open.body)
    }
    expect(await assignable()).not.toContain(email)
    const token = String(invited.body.link).split('#')[1]
    await call(cloud, 'PUT', '/api/invitation', { headers: fromOwnPage(cloud), body: { token, password: PASSWORD } })
    expect(await assignable()).toContain(email)
    await tag([tenant.siteId], { remove: ['north'] })
    expect(await assignable()).not.toContain(email)
  })

  test('that is lost ends the open streams of the person, and no others', async () => {
    await tag([tenant.siteId], { add: ['north'] })
    const url = cloud.ready.baseUrl + inOrganization(`devices/${tenant.deviceId}/live`)
    const lost = await openStream(url, (await add(north('viewer'))).headers)
    const kept = await openStream(url, (await add({ allSites: 'viewer' })).headers)
    let isKept = true
    kept.response.once('end', () => {
      isKept = false
    })
    const ended = once(lost.response, 'end', { signal: AbortSignal.timeout(10_000) })
    await tag([tenant.siteId], { remove: ['north'] })
    // A deadline that is shorter than the time between two regular checks.
    await ended
    expect(isKept).toBe(true)
  })
})

describe('a role on all sites', () => {
  test('is also for sites that are added later, and not for the organization itself', async () => {
    const { headers } = await add({ allSites: 'manager' })
    const added = await addSite('New')
    expect(await rolesOf(headers)).toEqual({ [tenant.siteId]: 'manager', [mill]: 'manager', [added]: 'manager' })
    expect(await manages(headers, added)).toBe(true)
    for (const path of ['members', 'api-keys', 'activity'])
      expect((await call(cloud, 'GET', inOrganization(path), { headers })).status).toBe(403)
    const { organizations } = (await call(cloud, 'GET', '/api/session', { headers })).body as unknown as SignedIn
    expect(organizations).toMatchObject([{ isAdmin: false }])
  })

  test('of a viewer leaves a manager of a tag their role there', async () => {
    await tag([mill], { add: ['north'] })
    const { headers } = await add({ allSites: 'viewer', ...north('manager') })
    expect(await rolesOf(headers)).toEqual({ [tenant.siteId]: 'viewer', [mill]: 'manager' })
    expect([await manages(headers, mill), await manages(headers, tenant.siteId)]).toEqual([true, false])
  })

  test('does not count as an administrator when the last one leaves', async () => {
    const admin = await add({ role: 'admin' })
    await add({ allSites: 'manager' })
    expect((await asOperator(cloud, 'DELETE', inOrganization(`members/${admin.userId}`))).status).toBe(409)
    const demoted = await asOperator(cloud, 'PATCH', inOrganization(`members/${admin.userId}`), { allSites: 'manager' })
    expect(demoted.status).toBe(409)
  })
})

describe('roles', () => {
  test('are listed as they were given, and replaced as a whole', async () => {
    const roles: MemberRoles = {
      allSites: 'viewer',
      tags: [
        { tag: 'north', role: 'manager' },
        { tag: 'schools', role: 'viewer' },
      ],
      sites: [{ siteId: mill, role: 'manager' }],
    }
    const { userId } = await add(roles)
    const listed = async () =>
      ((await asOperator(cloud, 'GET', inOrganization('members'))).body.members as unknown as Member[]).find(
        (member) => member.userId === userId,
      )
    expect(await listed()).toMatchObject({ role: null, ...roles })
    await asOperator(cloud, 'PATCH', inOrganization(`members/${userId}`), north('viewer'))
    expect(await listed()).toMatchObject({ role: null, allSites: null, ...north('viewer'), sites: [] })
    const entries = (await asOperator(cloud, 'GET', inOrganization('activity?action=role-changed'))).body
    expect(entries.entries).toMatchObject([{ details: { roles: ['viewer'], tags: ['north'] } }])
  })

  test.each([
    [{}, 'send role, allSites, tags or sites'],
    [{ role: 'admin', allSites: 'manager' }, 'send role or allSites, not both'],
    [{ role: 'admin', tags: [{ tag: 'north', role: 'viewer' }] }, 'send role or tags, not both'],
    [{ tags: [...north('viewer').tags, ...north('manager').tags] }, 'tags contains a tag twice'],
    [{ tags: [{ tag: ' north', role: 'viewer' }] }, 'tag'],
    [{ tags: [] }, 'tags'],
    [{ allSites: 'admin' }, 'allSites'],
  ])('%j are refused', async (roles, message) => {
    const body = { email: `${newId('person')}@example.com`, ...roles }
    const refused = await asOperator(cloud, 'POST', inOrganization('members'), body)
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(message)])
  })

  test('by tag keep the account of a person when a site is removed', async () => {
    const { headers } = await add({ ...north('viewer'), sites: [{ siteId: mill, role: 'viewer' }] })
    await tag([tenant.siteId, mill], { add: ['north'] })
    expect((await asOperator(cloud, 'DELETE', `${inOrganization(`sites/${mill}`)}?confirm=true`)).status).toBe(204)
    await eventually(async () => expect(await rolesOf(headers)).toEqual({ [tenant.siteId]: 'viewer' }))
  })
})

test('only administrators can change tags, so that no manager gives themselves a site', async () => {
  await tag([tenant.siteId], { add: ['north'] })
  for (const roles of [north('manager'), { allSites: 'manager' as const }]) {
    const { headers } = await add(roles)
    const body = { siteIds: [mill], add: ['north'] }
    const refused = await call(cloud, 'PATCH', inOrganization('site-tags'), { headers, body })
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('needs the role admin')])
  }
})
