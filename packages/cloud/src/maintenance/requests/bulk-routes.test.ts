import type { ChangeOutcome, ShownTicket } from '@plantroom/contract/api'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { body, databaseOf, onSite } from './testing/site.ts'

interface Bulk {
  outcomes: ChangeOutcome[]
  undoId: string | null
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let site: ReturnType<typeof onSite>
let organizations = 0

beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())

beforeEach(async () => {
  organizations += 1
  tenant = await addTenant(cloud, `Organization ${organizations}`)
  site = onSite(cloud, tenant)
  await site.post('/people', { email: 'Jaan@example.ee', name: 'Jaan Tamm' })
  await site.post('/tickets', { title: 'One', state: 'resolved', tags: ['water', 'roof'] })
  await site.post('/tickets', { title: 'Two', state: 'open', priority: 2, assignee: 'jaan@example.ee' })
  await site.post('/tickets', { title: 'Three', tags: ['water'] })
})

const change = async (changes: object) => body<Bulk>(await site.post('/tickets/changes', changes))
const undo = async (id: string | null) => site.post(`/tickets/changes/${id}/undo`, {})
const get = async (number: number) => body<ShownTicket>(await site.get(`/tickets/${number}`))
const all = async () => [await get(1), await get(2), await get(3)]
const listed = ({ outcomes }: Pick<Bulk, 'outcomes'>) => outcomes.map(({ number, outcome }) => `${number} ${outcome}`)

describe('a change of many requests', () => {
  test('changes each, says what became of each, and leaves those alone that have the values already', async () => {
    const [, two] = await all()
    const bulk = await change({ numbers: [3, 1, 2, 99], state: 'open', assignee: 'JAAN@example.ee' })
    expect(listed(bulk)).toEqual(['3 changed', '1 changed', '2 unchanged', '99 failed'])
    expect(bulk.outcomes[3]?.message).toBe('this site has no request 99')
    expect((await all()).map(({ state, assignee }) => [state, assignee?.email])).toEqual([
      ['open', 'Jaan@example.ee'],
      ['open', 'Jaan@example.ee'],
      ['open', 'Jaan@example.ee'],
    ])
    expect((await get(1)).resolvedAt).toBeNull()
    expect(await get(2)).toEqual(two)
  })

  test('adds and removes tags, and keeps the others in their order', async () => {
    const bulk = await change({ numbers: [1, 2, 3], addTags: [' new ', 'roof'], removeTags: ['water', 'unknown'] })
    expect(listed(bulk)).toEqual(['1 changed', '2 changed', '3 changed'])
    expect((await all()).map(({ tags }) => tags)).toEqual([
      ['roof', 'new'],
      ['new', 'roof'],
      ['new', 'roof'],
    ])
  })

  test('fails for a request that would have too many tags, and for no other', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `tag ${index}`)
    await site.patch('/tickets/1', { tags: many })
    const bulk = await change({ numbers: [1, 3], addTags: ['one more'] })
    expect(listed(bulk)).toEqual(['1 failed', '3 changed'])
    expect((await get(1)).tags).toHaveLength(100)
  })

  test('records each changed request in the activity log, with no text that people wrote', async () => {
    await change({ numbers: [1, 2, 3], state: 'closed', addTags: ['private'] })
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity?action=request-changed`)
    const entries = body.entries as { subject: { id: string }; details: object }[]
    expect(entries.map(({ subject }) => subject.id).sort()).toEqual(['1', '2', '3'])
    expect(entries[0]?.details).toEqual({ fields: ['state', 'tags'], state: 'closed', together: 3 })
  })

  test.each([
    [{ numbers: [1] }, 'body', 'give at least one of'],
    [{ numbers: [], state: 'open' }, 'numbers', 'at least 1'],
    [{ numbers: [1, 1], state: 'open' }, 'numbers', ''],
    [{ numbers: [0], state: 'open' }, 'numbers[0]', 'at least 1'],
    [{ numbers: ['1; DROP'], state: 'open' }, 'numbers[0]', 'integer'],
    [{ numbers: Array.from({ length: 501 }, (_, index) => index + 1), state: 'open' }, 'numbers', '500'],
    [{ numbers: [1], state: 'lost' }, 'state', 'must be one of'],
    [{ numbers: [1, 2], assignee: 'nobody@example.ee' }, 'assignee', 'add them first'],
  ])('is 400 for %j and changes nothing', async (changes, field, words) => {
    const before = await all()
    const { status, body } = await site.post('/tickets/changes', changes)
    expect([status, body.field, body.message]).toEqual([400, field, expect.stringContaining(words)])
    expect(await all()).toEqual(before)
  })

  test('never reaches the requests of another site', async () => {
    const other = await addTenant(cloud, 'Other')
    const theirs = onSite(cloud, other)
    await theirs.post('/tickets', { title: 'Theirs' })
    const bulk = await change({ numbers: [1], state: 'canceled' })
    expect(body<ShownTicket>(await theirs.get('/tickets/1')).state).toBe('new')
    expect((await theirs.post(`/tickets/changes/${bulk.undoId}/undo`, {})).status).toBe(404)
    expect((await get(1)).state).toBe('canceled')
  })

  test('of the same requests by many callers at once changes each completely', async () => {
    const tags = ['a', 'b', 'c', 'd', 'e', 'f']
    const calls = tags.map((tag, index) => change({ numbers: index % 2 ? [1, 2, 3] : [3, 2, 1], addTags: [tag] }))
    await Promise.all(calls)
    for (const { tags: found } of await all()) expect(found).toEqual(expect.arrayContaining(tags))
  })
})

describe('undoing it', () => {
  test('restores the values and the times of the states', async () => {
    const before = await all()
    const { undoId } = await change({
      ...{ numbers: [1, 2, 3], state: 'in_progress', priority: 3, assignee: null },
      ...{ addTags: ['new'], removeTags: ['water'] },
    })
    expect(listed(body(await undo(undoId)))).toEqual(['1 changed', '2 changed', '3 changed'])
    const withoutChange = ({ updatedAt: _, ...ticket }: ShownTicket) => ticket
    expect((await all()).map(withoutChange)).toEqual(before.map(withoutChange))
  })

  test('leaves a request alone that somebody changed since, but not for a comment or another field', async () => {
    const { undoId } = await change({ numbers: [1, 2, 3], state: 'closed' })
    await site.patch('/tickets/2', { state: 'on_hold' })
    await site.post('/tickets/1/comments', { content: 'Done' })
    await site.patch('/tickets/3', { priority: 1 })
    const undone = body<Bulk>(await undo(undoId))
    expect(listed(undone)).toEqual(['1 changed', '2 failed', '3 changed'])
    expect(undone.outcomes[1]?.message).toContain('changed again since then')
    expect((await all()).map(({ state, priority }) => [state, priority])).toEqual([
      ['resolved', null],
      ['on_hold', 2],
      ['new', 1],
    ])
  })

  test('works once, and is not offered when nothing changed', async () => {
    expect((await change({ numbers: [2], state: 'open' })).undoId).toBeNull()
    const { undoId } = await change({ numbers: [2], state: 'closed' })
    expect((await undo(undoId)).status).toBe(200)
    expect((await undo(undoId)).status).toBe(404)
  })

  test('fails for a request whose assignee has left', async () => {
    const { undoId } = await change({ numbers: [2], assignee: null })
    await databaseOf(cloud).deleteFrom('person').where('site_id', '=', tenant.siteId).execute()
    expect(listed(body(await undo(undoId)))).toEqual(['2 failed'])
  })

  test('is for who made the change', async () => {
    const manager = { sites: [{ siteId: tenant.siteId, role: 'manager' as const }] }
    const email = `manager@${tenant.siteId.toLowerCase().replaceAll('_', '-')}.ee`
    const { headers } = await addPerson(cloud, tenant.orgId, email, manager)
    const made = await call(cloud, 'POST', `${site.base}/tickets/changes`, {
      headers,
      body: { numbers: [1], state: 'closed' },
    })
    expect((await undo(String(made.body.undoId))).status).toBe(404)
    const path = `${site.base}/tickets/changes/${made.body.undoId}/undo`
    expect((await call(cloud, 'POST', path, { headers, body: {} })).status).toBe(200)
  })
})
