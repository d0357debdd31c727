import type { Ticket, TicketChange } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { addTenant, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { body, databaseOf, imported, importRequests, onSite } from './testing/site.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let site: ReturnType<typeof onSite>
let manager: Record<string, string>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  site = onSite(cloud, tenant)
  const roles = { sites: [{ siteId: tenant.siteId, role: 'manager' as const }] }
  manager = (await addPerson(cloud, tenant.orgId, 'mari@example.ee', roles)).headers
  for (const email of ['jaan@example.ee', 'kati@example.ee']) body(await site.post('/people', { email }), 201)
  body(await site.post('/units', { name: 'A 12' }), 201)
})
afterAll(() => cloud?.stop())

const addRequest = async (details: object = {}) =>
  body<Ticket>(await site.post('/tickets', { title: 'Tap', ...details }), 201).number
const patch = (number: number, changes: object, headers = manager) =>
  call(cloud, 'PATCH', `${site.base}/tickets/${number}`, { headers, body: changes })
const history = async (number: number, query = '') =>
  body<{ changes: TicketChange[]; nextCursor: string | null }>(await site.get(`/tickets/${number}/changes${query}`))

const MARI = { kind: 'person', name: 'mari@example.ee' }
const OPERATOR = { kind: 'operator', name: null }

describe('the history of a request', () => {
  test('has each changed field with who, when, from and to, the newest first', async () => {
    const number = await addRequest({ tags: ['water'], assignee: 'jaan@example.ee' })
    const changes = {
      title: 'Tap drips',
      state: 'in_progress',
      priority: 2,
      safetyHazard: true,
      assignee: 'kati@example.ee',
      unit: 'A 12',
      tags: ['water', 'urgent'],
      watchers: ['jaan@example.ee'],
      description: 'In the kitchen',
    }
    const { updatedAt } = body<Ticket>(await patch(number, changes))
    const found = (await history(number)).changes
    const expected = {
      title: [['Tap'], ['Tap drips']],
      state: [['new'], ['in_progress']],
      priority: [[], ['2']],
      safetyHazard: [[], ['true']],
      assignee: [['jaan@example.ee'], ['kati@example.ee']],
      unit: [[], ['A 12']],
      tags: [['water'], ['water', 'urgent']],
      watchers: [[], ['jaan@example.ee']],
      description: [[], ['In the kitchen']],
    }
    const changed = found.slice(0, -1)
    expect(Object.fromEntries(changed.map(({ field, from, to }) => [field, [from, to]]))).toEqual(expected)
    for (const change of changed) expect(change).toMatchObject({ kind: 'changed', by: MARI, at: updatedAt })
    expect(found.at(-1)).toMatchObject({ kind: 'created', field: null, from: [], to: [], by: OPERATOR })
  })

  test('has nothing for values that stay the same, and nothing for a change that is refused', async () => {
    const number = await addRequest({ tags: ['a', 'b'] })
    body(await patch(number, { title: 'Tap', tags: ['a', 'b'], description: null }))
    expect((await patch(number, { title: 'Other', unit: 'No such unit' })).status).toBe(400)
    expect((await history(number)).changes.map(({ kind }) => kind)).toEqual(['created'])
  })

  test('names a key by its name', async () => {
    const number = await addRequest()
    const { apiKey } = await createKey(cloud, tenant.orgId, ['ticket:read_write'])
    body(await patch(number, { title: 'By key' }, { 'x-api-key': apiKey }))
    expect((await history(number)).changes[0]?.by).toEqual({ kind: 'key', name: 'Key' })
  })

  test('keeps no address of a person who was removed from the site', async () => {
    const person = body<{ id: string }>(await site.post('/people', { email: 'gone@example.ee' }), 201)
    const number = await addRequest({ assignee: 'gone@example.ee' })
    body(await patch(number, { assignee: 'kati@example.ee', watchers: ['gone@example.ee'] }))
    body(await patch(number, { watchers: [] }))
    await site.remove(`/people/${person.id}`)
    const { changes } = await history(number)
    expect(JSON.stringify(changes)).not.toContain('gone')
    expect(changes.find(({ field }) => field === 'assignee')?.from).toEqual([null])
  })

  test('comes in pages', async () => {
    const number = await addRequest()
    for (const title of ['1', '2', '3']) body(await patch(number, { title }))
    const first = await history(number, '?limit=2')
    const second = await history(number, `?limit=2&cursor=${first.nextCursor}`)
    const titles = [...first.changes, ...second.changes].map(({ to }) => to[0])
    expect([titles, second.nextCursor]).toEqual([['3', '2', '1', undefined], null])
  })

  test('shortens a text of a package, and pages of long texts are short', async () => {
    const request = imported('long', { description: 'x'.repeat(300_000) })
    const number = await importRequests(databaseOf(cloud), tenant.siteId, [request])
    body(await patch(number, { description: 'short' }))
    const [change] = (await history(number)).changes
    expect([change?.from[0]?.length, change?.from[0]?.endsWith('…'), change?.to]).toEqual([50_001, true, ['short']])
    for (let count = 10; count < 35; count += 1)
      body(await patch(number, { description: `${count}${'x'.repeat(49_998)}` }))
    const page = await history(number, '?limit=200')
    expect([page.changes.length < 25, page.nextCursor]).toEqual([true, expect.any(String)])
  })
})

describe('a change that says what its author has seen', () => {
  test('is refused, and changes nothing, when someone else has changed it', async () => {
    const number = await addRequest({ description: 'Old' })
    body(await patch(number, { description: 'Of Mari', before: { description: 'Old' } }))
    const second = await patch(number, {
      description: 'Of Jaan',
      title: 'T',
      before: { description: 'Old', title: 'Tap' },
    })
    expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
    expect(second.body.message).toContain('description was changed by someone else')
    expect(body<Ticket>(await site.get(`/tickets/${number}`))).toMatchObject({ title: 'Tap', description: 'Of Mari' })
  })

  test('is made when only other fields, or comments, have changed', async () => {
    const number = await addRequest({ assignee: 'jaan@example.ee', tags: ['a'] })
    body(await patch(number, { priority: 1 }))
    body(await site.post(`/tickets/${number}/comments`, { content: 'Hello' }), 201)
    const seen = { title: 'Tap', description: null, assignee: 'JAAN@example.ee', tags: ['a'], unit: null }
    expect((await patch(number, { title: 'New', before: seen })).status).toBe(200)
  })

  test('wins or loses as a whole when two people save at the same time', async () => {
    const number = await addRequest()
    const save = (title: string) => patch(number, { title, before: { title: 'Tap' } })
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map(save))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect((await history(number)).changes).toHaveLength(2)
  })
})
