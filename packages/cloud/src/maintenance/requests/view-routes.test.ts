import type { RequestView } from '@plantroom/contract/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let path: string
type Headers = Record<string, string>
const people: Record<'manager' | 'viewer' | 'stranger', Headers> = { manager: {}, viewer: {}, stranger: {} }

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  path = `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}/request-views`
  for (const role of ['manager', 'viewer'] as const) {
    const onSite = { sites: [{ siteId: tenant.siteId, role }] }
    people[role] = (await addPerson(cloud, tenant.orgId, `${role}@example.ee`, onSite)).headers
  }
  const other = await addTenant(cloud, 'Other')
  people.stranger = (await addPerson(cloud, other.orgId, 'stranger@example.ee', { role: 'admin' })).headers
})
afterAll(() => cloud?.stop())

const save = (headers: Headers, body: object) => call(cloud, 'POST', path, { headers, body })
const list = async (headers: Headers) => {
  const { body } = await call(cloud, 'GET', path, { headers })
  return (body.views as RequestView[]).map(({ name, shared }) => `${name} ${shared ? 'shared' : 'own'}`)
}
const remove = (headers: Headers, id: unknown) => call(cloud, 'DELETE', `${path}/${id}`, { headers })

describe('views of the list of requests', () => {
  test('are for a person or for everybody on the site', async () => {
    const roof = { name: ' Roof ', query: 'tag=roof&sort=priority', shared: true }
    expect((await save(people.manager, roof)).status).toBe(201)
    const mine = await save(people.viewer, { name: 'Mine', query: 'assigned=me', shared: false })
    expect(mine.body).toEqual({ id: expect.any(String), name: 'Mine', query: 'assigned=me', shared: false })
    expect((await save(people.manager, { name: 'Mine', query: 'q=x', shared: false })).status).toBe(201)
    expect(await list(people.viewer)).toEqual(['Roof shared', 'Mine own'])
    expect(await list(people.manager)).toEqual(['Roof shared', 'Mine own'])
    const { apiKey } = await createKey(cloud, tenant.orgId, ['ticket:read_write'])
    expect(await list({ 'x-api-key': apiKey })).toEqual(['Roof shared'])
    // Nobody else can see or remove a view of a person.
    expect((await remove(people.manager, mine.body.id)).status).toBe(404)
    expect((await remove({ 'x-api-key': apiKey }, mine.body.id)).status).toBe(404)
    for (const shared of [true, false]) {
      const refused = await save({ 'x-api-key': apiKey }, { name: 'Door', query: '', shared })
      expect(refused).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('sign in to the console') },
      })
    }
    expect((await remove(people.viewer, mine.body.id)).status).toBe(204)
    expect(await list(people.viewer)).toEqual(['Roof shared'])
  })

  test('of the whole site are saved and removed by managers', async () => {
    expect((await save(people.viewer, { name: 'For all', query: '', shared: true })).status).toBe(403)
    const added = await save(people.manager, { name: 'For all', query: '', shared: true })
    expect((await remove(people.viewer, added.body.id)).status).toBe(403)
    expect((await remove(people.manager, added.body.id)).status).toBe(204)
  })

  test('have names of their own', async () => {
    await save(people.manager, { name: 'Twice', query: '', shared: false })
    const { status, body } = await save(people.manager, { name: 'Twice ', query: 'q=x', shared: false })
    expect([status, body.field]).toEqual([409, 'name'])
  })

  test('are bounded in number', async () => {
    const { headers } = await addPerson(cloud, tenant.orgId, 'many@example.ee', { role: 'admin' })
    for (let count = 0; count < 50; count += 1) await save(headers, { name: `${count}`, query: '', shared: false })
    expect((await save(headers, { name: 'one more', query: '', shared: false })).status).toBe(409)
  })

  test.each([
    ['a blank name', { name: ' ', query: '', shared: true }, 400],
    ['a long query', { name: 'x', query: 'q'.repeat(2001), shared: true }, 400],
    ['a query with a line break', { name: 'x', query: 'a\nb', shared: true }, 400],
    ['a view of their own, by the operator', { name: 'x', query: '', shared: false }, 400],
  ])('with %s are refused', async (_what, body, status) => {
    expect((await asOperator(cloud, 'POST', path, body)).status).toBe(status)
  })

  test('stay inside the organization', async () => {
    for (const answer of [
      await call(cloud, 'GET', path, { headers: people.stranger }),
      await save(people.stranger, { name: 'x', query: '', shared: false }),
      await remove(people.stranger, 'view_1'),
    ]) {
      expect(answer.status).toBe(403)
    }
  })
})
