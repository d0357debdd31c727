import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../access/testing/people.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let headers: Record<string, string>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  const manager = { sites: [{ siteId: tenant.siteId, role: 'manager' as const }] }
  headers = (await addPerson(cloud, tenant.orgId, 'mari@example.ee', manager)).headers
})
afterAll(() => cloud?.stop())

const tickets = () => `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}/tickets`
const post = async (path: string, body: object) => (await call(cloud, 'POST', path, { headers, body })).body
const addRequest = (body: object) => post(tickets(), { title: 'Tap leaks', ...body })

const MARI = { email: 'mari@example.ee', name: null, phone: null }
const JAAN = { email: 'jaan@example.ee', name: 'Jaan', phone: null }

describe('a request added by a signed-in user', () => {
  test('has them as reporter unless the body names a reporter or null', async () => {
    expect(await addRequest({})).toMatchObject({ reporter: MARI })
    expect(await addRequest({ reporter: JAAN })).toMatchObject({ reporter: JAAN })
    expect(await addRequest({ reporter: null })).toMatchObject({ reporter: null })
  })

  test('has no reporter when the operator adds it', async () => {
    expect((await asOperator(cloud, 'POST', tickets(), { title: 'Tap leaks' })).body).toMatchObject({ reporter: null })
  })
})

describe('a comment added by a signed-in user', () => {
  test('has them as author, and is mailed to the reporter unless they are the author', async () => {
    const theirs = `${tickets()}/${(await addRequest({ reporter: JAAN })).number}/comments`
    expect(await post(theirs, { content: 'Coming' })).toMatchObject({ author: MARI, mailedTo: JAAN.email })
    const own = `${tickets()}/${(await addRequest({})).number}/comments`
    expect(await post(own, { content: 'Done' })).toMatchObject({ author: MARI, mailedTo: null })
  })

  test('cannot have anyone else as author, whatever the role; a key and the operator can name one', async () => {
    const path = `${tickets()}/${(await addRequest({ reporter: JAAN })).number}/comments`
    const admin = await addPerson(cloud, tenant.orgId, 'admin@example.ee', { role: 'admin' })
    for (const person of [headers, admin.headers]) {
      for (const author of [JAAN, { name: 'Jaan' }, null, MARI]) {
        const answer = await call(cloud, 'POST', path, { headers: person, body: { content: 'Thanks', author } })
        expect([answer.status, answer.body.field]).toEqual([400, 'author'])
      }
    }
    expect((await call(cloud, 'GET', path, { headers })).body.comments).toEqual([])
    const { apiKey } = await createKey(cloud, tenant.orgId, ['ticket:read_write'])
    for (const caller of [{ 'x-api-key': apiKey }, { authorization: `Bearer ${cloud.ready.adminToken}` }]) {
      const answer = await call(cloud, 'POST', path, { headers: caller, body: { content: 'Thanks', author: JAAN } })
      expect([answer.status, answer.body.author]).toEqual([201, JAAN])
    }
  })
})

test('the requests assigned to a signed-in user are theirs, in any case of the email, and none for others', async () => {
  const people = `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}/people`
  await post(people, { email: 'MARI@example.ee' })
  await post(people, { email: 'jaan@example.ee' })
  const mine = (await addRequest({ assignee: 'mari@example.ee' })).number
  await addRequest({ assignee: 'jaan@example.ee' })
  const { body } = await call(cloud, 'GET', `${tickets()}?assigned=me`, { headers })
  expect((body.tickets as { number: number }[]).map(({ number }) => number)).toEqual([mine])
  expect((await call(cloud, 'GET', `${tickets()}/counts?assigned=me`, { headers })).body).toMatchObject({ total: 1 })
})
