import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { body, onSite } from './testing/site.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
/** A site, another site of its organization, and a site of another organization. */
const sites: { name: string; tenant: Pick<Tenant, 'orgId' | 'siteId'> }[] = []

beforeAll(async () => {
  cloud = await startTestCloud()
  const ours = await addTenant(cloud, 'Ours')
  const second = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/sites`, {
    name: 'Second',
    maintenanceRequests: true,
  })
  const foreign = await addTenant(cloud, 'Foreign')
  sites.push(
    { name: 'alpha', tenant: ours },
    { name: 'beta', tenant: { orgId: ours.orgId, siteId: String(second.body.id) } },
    { name: 'gamma', tenant: foreign },
  )
  for (const { name, tenant } of sites) await fill(tenant, name)
})
afterAll(() => cloud?.stop())

/** Gives a site one of everything, named after the site. */
async function fill(tenant: Pick<Tenant, 'orgId' | 'siteId'>, name: string): Promise<void> {
  const site = onSite(cloud, tenant)
  body(await site.post('/people', { email: `${name}@example.ee`, name: `Person ${name}` }), 201)
  body(await site.post('/units', { name: `Unit ${name}` }), 201)
  const request = {
    title: `Title ${name}`,
    reporter: { email: `${name}@example.ee` },
    assignee: `${name}@example.ee`,
    unit: `Unit ${name}`,
    tags: [`Tag ${name}`],
  }
  const { number } = body<{ number: number }>(await site.post('/tickets', request), 201)
  // The mail to the reporter goes to the outbox.
  const comment = { content: `Comment ${name}`, author: { name: `Staff ${name}` } }
  body(await site.post(`/tickets/${number}/comments`, comment), 201)
  body(await site.patch(`/tickets/${number}`, { notes: `Notes ${name}` }))
}

const LISTS = [
  ...['/tickets?total=true', '/tickets/1', '/tickets/1/comments', '/tickets/1/changes'],
  ...['/people', '/units', '/tags', '/outbox'],
]

describe.each(LISTS)('%s', (path) => {
  test('shows what the site has and nothing of another site or organization', async () => {
    for (const { name, tenant } of sites) {
      const text = JSON.stringify(body(await onSite(cloud, tenant).get(path)))
      expect(text).toContain(name)
      for (const other of sites) if (other.name !== name) expect(text).not.toContain(other.name)
    }
  })

  test('is closed to a key of another organization or limited to another site', async () => {
    const [ours, second, foreign] = sites
    if (!ours || !second || !foreign) throw new Error('three sites are set up')
    const keys = [
      await createKey(cloud, foreign.tenant.orgId, ['ticket:read_write']),
      await createKey(cloud, ours.tenant.orgId, ['ticket:read_write'], [second.tenant.siteId]),
    ]
    for (const { apiKey } of keys) {
      const answer = await call(cloud, 'GET', onSite(cloud, ours.tenant).base + path, {
        headers: { 'x-api-key': apiKey },
      })
      expect(answer.status).toBe(403)
    }
  })
})

test.each(['tag=Tag beta', 'unit=Unit beta', 'assignee=beta@example.ee', 'q=beta', 'q=gamma'])(
  'a filter with a value of another site finds nothing: %s',
  async (query) => {
    const [ours] = sites
    if (!ours) throw new Error('three sites are set up')
    const [field, value = ''] = query.split('=')
    const answer = await onSite(cloud, ours.tenant).get(`/tickets?total=true&${field}=${encodeURIComponent(value)}`)
    expect(body(answer)).toMatchObject({ tickets: [], total: 0 })
  },
)

test('people, units and attachments of another site cannot be used', async () => {
  const [ours, second] = sites
  if (!ours || !second) throw new Error('three sites are set up')
  const site = onSite(cloud, ours.tenant)
  expect(await site.patch('/tickets/1', { assignee: 'beta@example.ee' })).toMatchObject({ status: 400 })
  expect(await site.patch('/tickets/1', { unit: 'Unit beta' })).toMatchObject({ status: 400 })
  const { people } = body<{ people: { id: string }[] }>(await onSite(cloud, second.tenant).get('/people'))
  expect(await site.remove(`/people/${people[0]?.id}`)).toMatchObject({ status: 404 })
})
