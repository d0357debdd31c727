import { newId } from '@plantroom/base/ids'
import type { Site } from '@plantroom/contract/api'
import { MAX_ORGANIZATION_TAGS, MAX_SITE_TAGS } from '@plantroom/contract/site-tags'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addTenant, asOperator, startTestCloud, type Tenant } from '../../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let second: string

beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())
beforeEach(async () => {
  tenant = await addTenant(cloud, newId('Organization'))
  second = String((await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, { name: 'Mill' })).body.id)
})

const change = (siteIds: readonly string[], changes: object) =>
  asOperator(cloud, 'PATCH', `/api/orgs/${tenant.orgId}/site-tags`, { siteIds, ...changes })
const entries = async () =>
  (await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity?action=site-tags-changed`)).body.entries

/** The tags of each site, which the list of sites and the overview agree on. */
async function tagsOf(): Promise<Record<string, readonly string[]>> {
  const [sites, overview] = await Promise.all(
    ['sites', 'overview'].map(
      async (list) => (await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/${list}`)).body,
    ),
  )
  const byName = (list: unknown) => Object.fromEntries((list as Site[]).map(({ name, tags }) => [name, tags]))
  expect(byName(overview?.sites)).toEqual(byName(sites?.sites))
  return byName(sites?.sites)
}

describe('tags', () => {
  test('are given to many sites at once, and taken from some', async () => {
    const given = await change([tenant.siteId, second], { add: ['north', 'Koolid ja lasteaiad'] })
    expect([given.status, given.body.sites]).toMatchObject([200, [{ name: 'Mill' }, { name: 'Site' }]])
    const both = ['Koolid ja lasteaiad', 'north']
    expect(await tagsOf()).toEqual({ Mill: both, Site: both })
    await change([second], { add: ['south'], remove: ['north', 'never given'] })
    expect(await tagsOf()).toEqual({ Mill: ['Koolid ja lasteaiad', 'south'], Site: both })
  })

  test('leave an entry in the activity log, unless nothing changed', async () => {
    await change([tenant.siteId, second], { add: ['north'] })
    await change([tenant.siteId, second], { add: ['north'] })
    await change([tenant.siteId, second], { add: ['north', 'south'], remove: [] })
    await change([second], { remove: ['south'] })
    expect(await entries()).toMatchObject([
      { siteId: second, subject: { kind: 'site', name: 'Mill' }, details: { remove: ['south'], sites: 1 } },
      { siteId: null, subject: { kind: 'organization' }, details: { add: ['north', 'south'], sites: 2 } },
      { siteId: null, subject: { kind: 'organization' }, details: { add: ['north'], sites: 2 } },
    ])
  })

  test('of a site that is added are none, and of a removed one are gone', async () => {
    await change([second], { add: ['north'] })
    await asOperator(cloud, 'DELETE', `/api/orgs/${tenant.orgId}/sites/${second}?confirm=true`)
    expect(await tagsOf()).toEqual({ Site: [] })
  })
})

describe('a change of tags', () => {
  test.each([
    ['a site of another organization', () => ({ siteIds: [tenant.siteId, 'site_none'], add: ['x'] }), 'siteIds'],
    ['nothing to do', () => ({ siteIds: [tenant.siteId] }), 'body'],
    ['a tag in both lists', () => ({ siteIds: [tenant.siteId], add: ['x'], remove: ['x'] }), 'add'],
    ['no site', () => ({ siteIds: [], add: ['x'] }), 'siteIds'],
    ['a blank tag', () => ({ siteIds: [tenant.siteId], add: [' '] }), 'add'],
    ['a comma', () => ({ siteIds: [tenant.siteId], add: ['a,b'] }), 'add'],
    ['a line break', () => ({ siteIds: [tenant.siteId], add: ['a\nb'] }), 'add'],
    ['51 characters', () => ({ siteIds: [tenant.siteId], add: ['x'.repeat(51)] }), 'add'],
  ])('with %s is refused and changes nothing', async (_what, body, field) => {
    const { siteIds, ...changes } = body()
    const refused = await change(siteIds, changes)
    expect([refused.status, String(refused.body.field).split(/[.[/]/)[0]]).toEqual([400, field])
    expect(await tagsOf()).toEqual({ Mill: [], Site: [] })
  })

  test('to more tags than a site or an organization may have is refused as a whole', async () => {
    const tags = (from: number, count: number) => Array.from({ length: count }, (_, index) => `tag ${from + index}`)
    await change([second], { add: tags(0, MAX_SITE_TAGS) })
    const full = await change([tenant.siteId, second], { add: ['one more'] })
    expect([full.status, full.body.message]).toEqual([409, expect.stringContaining('"Mill" would have more than 20')])
    expect((await tagsOf()).Site).toEqual([])
    for (let from = MAX_SITE_TAGS; from < MAX_ORGANIZATION_TAGS; from += MAX_SITE_TAGS) {
      const name = `Site ${from}`
      const { body } = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, { name })
      await change([String(body.id)], { add: tags(from, MAX_SITE_TAGS) })
    }
    const many = await change([tenant.siteId], { add: ['one more'] })
    expect([many.status, many.body.message]).toEqual([409, expect.stringContaining('more than 200 different tags')])
    expect((await change([tenant.siteId], { add: ['tag 7'] })).status).toBe(200)
  })
})
