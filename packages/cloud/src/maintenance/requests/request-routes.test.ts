import type { Ticket } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, call, startTestCloud } from '../../testing/cloud.ts'
import { body, onSite } from './testing/site.ts'

type Shown = Ticket & { commentsCursor: string | null }

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let site: ReturnType<typeof onSite>

beforeAll(async () => {
  cloud = await startTestCloud()
  site = onSite(cloud, await addTenant(cloud, 'Organization'))
  await site.post('/people', { email: 'Jaan@Example.ee', name: 'Jaan', phone: '51' })
  await site.post('/people', { email: 'mari@example.ee', name: 'Mari' })
  await site.post('/units', { name: 'Apartment 7' })
})
afterAll(() => cloud?.stop())

const add = async (ticket: object) => body<Shown>(await site.post('/tickets', ticket), 201)
const show = async (number: number) => body<Shown>(await site.get(`/tickets/${number}`))
const change = async (number: number, changes: object) => body<Shown>(await site.patch(`/tickets/${number}`, changes))
const recent = expect.stringMatching(/^20\d\d-.*Z$/)

const JAAN = { email: 'Jaan@Example.ee', name: 'Jaan', phone: '51' }
const MARI = { email: 'mari@example.ee', name: 'Mari', phone: null }

describe('a new request', () => {
  test('with only a title is new and has a number and an external id', async () => {
    const ticket = await add({ title: 'Tap drips' })
    expect(ticket).toEqual({
      number: expect.any(Number),
      externalId: expect.stringMatching(/^ticket_/),
      title: 'Tap drips',
      state: 'new',
      priority: null,
      safetyHazard: null,
      reporter: null,
      assignee: null,
      unit: null,
      tags: [],
      createdAt: recent,
      updatedAt: ticket.createdAt,
      description: null,
      notes: null,
      resolutionSummary: null,
      language: null,
      tone: null,
      scope: null,
      supervisor: null,
      watchers: [],
      ccEmails: [],
      feedback: null,
      feedbackText: null,
      resolvedAt: null,
      stateChangedAt: ticket.createdAt,
      attachments: [],
      comments: [],
      commentsCursor: null,
    })
    expect(await show(ticket.number)).toEqual(ticket)
  })

  test('keeps every field that can be set', async () => {
    const said = {
      title: 'Põleb "; DROP TABLE ticket; --',
      description: 'Suits 🔥\nteisel real',
      notes: 'n',
      resolutionSummary: 'r',
      state: 'resolved',
      priority: 0,
      language: 'et',
      scope: 'common_area',
      safetyHazard: true,
    }
    const ticket = await add({
      ...said,
      reporter: { name: 'Peeter', phone: '52' },
      assignee: 'JAAN@example.EE',
      supervisor: 'mari@example.ee',
      watchers: ['Mari@example.ee', 'jaan@example.ee', 'MARI@example.ee'],
      unit: ' Apartment 7 ',
      tags: [' fire', 'urgent', 'fire '],
    })
    expect(ticket).toMatchObject({
      ...said,
      reporter: { email: null, name: 'Peeter', phone: '52' },
      assignee: JAAN,
      supervisor: MARI,
      watchers: [MARI, JAAN],
      unit: 'Apartment 7',
      tags: ['fire', 'urgent'],
      resolvedAt: ticket.createdAt,
    })
    expect(await show(ticket.number)).toEqual(ticket)
  })

  test('is linked to a reporter of the site, completed with the given text', async () => {
    const { reporter } = await add({ title: 'x', reporter: { email: 'MARI@EXAMPLE.EE', name: 'M.', phone: '53' } })
    expect(reporter).toEqual({ email: 'mari@example.ee', name: 'Mari', phone: '53' })
  })

  test('gets the next number, unique even when many arrive at the same time', async () => {
    const before = (await add({ title: 'before' })).number
    const tags = (index: number) => (index % 2 ? ['red', 'blue', 'green'] : ['green', 'blue', 'yellow'])
    const numbers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => (await add({ title: 'at once', tags: tags(index) })).number),
    )
    const next = Array.from({ length: 40 }, (_, index) => before + 1 + index)
    expect(numbers.toSorted((one, other) => one - other)).toEqual(next)
  })

  test('may have a description of 50,000 characters', async () => {
    const description = '🔥õ'.repeat(25_000)
    expect((await add({ title: 'long', description })).description).toBe(description)
  })

  test.each([
    ['no title', {}, 'title'],
    ['a blank title', { title: ' \n' }, 'title'],
    ['a title of 256 characters', { title: 'x'.repeat(256) }, 'title'],
    ['a description of 50,001 characters', { title: 'x', description: 'x'.repeat(50_001) }, 'description'],
    ['an unknown state', { title: 'x', state: 'lost' }, 'state'],
    ['a priority of 4', { title: 'x', priority: 4 }, 'priority'],
    ['a priority as text', { title: 'x', priority: '1' }, 'priority'],
    ['a reporter who is nobody', { title: 'x', reporter: { name: ' ' } }, 'reporter'],
    ['a reporter with no address', { title: 'x', reporter: { email: 'mari' } }, 'reporter.email'],
    ['an assignee of another place', { title: 'x', assignee: 'who@example.ee' }, 'assignee'],
    ['a watcher of another place', { title: 'x', watchers: ['mari@example.ee', 'who@example.ee'] }, 'watchers[1]'],
    ['an unknown unit', { title: 'x', unit: 'Apartment 8' }, 'unit'],
    ['a blank tag', { title: 'x', tags: ['ok', ' '] }, 'tags[1]'],
    ['101 tags', { title: 'x', tags: Array.from({ length: 101 }, (_, index) => `t${index}`) }, 'tags'],
  ])('with %s is 400 naming the field, and is not added', async (_what, ticket, field) => {
    const before = (await add({ title: 'before' })).number
    const answer = await site.post('/tickets', ticket)
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 400, code: 'INVALID', field })
    // And no number is used up.
    expect((await add({ title: 'after' })).number).toBe(before + 1)
  })

  test.each([
    ['U+0000', '{"title":"a\\u0000b"}', 'U+0000'],
    ['half a character', '{"title":"a\\ud800b"}', 'half a character'],
  ])('with %s is 400 with the reason', async (_what, raw, words) => {
    const headers = { authorization: `Bearer ${cloud.ready.adminToken}` }
    const answer = await call(cloud, 'POST', `${site.base}/tickets`, { headers, raw })
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(words)])
  })

  test('of more than a megabyte is 413', async () => {
    const { status } = await site.post('/tickets', { title: 'x', more: 'x'.repeat(1024 * 1024) })
    expect(status).toBe(413)
  })
})

describe('a change of a request', () => {
  test('changes the given fields only', async () => {
    const before = await add({ title: 'x', description: 'd', tags: ['a'], assignee: 'mari@example.ee', priority: 2 })
    const after = await change(before.number, { title: 'y', assignee: 'jaan@example.ee', tags: ['b', 'a'] })
    const { updatedAt } = after
    expect(after).toEqual({ ...before, title: 'y', assignee: JAAN, tags: ['b', 'a'], updatedAt })
    expect(await show(before.number)).toEqual(after)
  })

  test('with nulls clears the optional fields', async () => {
    const named = { assignee: 'mari@example.ee', supervisor: 'mari@example.ee', unit: 'Apartment 7', tags: ['a'] }
    const { number } = await add({ title: 'x', ...named, watchers: ['mari@example.ee'], priority: 1, notes: 'n' })
    const nothing = {
      assignee: null,
      supervisor: null,
      unit: null,
      tags: [],
      watchers: [],
      priority: null,
      notes: null,
    }
    expect(await change(number, nothing)).toMatchObject(nothing)
  })

  test('of the state records when, and when it was resolved', async () => {
    const { number, createdAt } = await add({ title: 'x' })
    const closed = await change(number, { state: 'closed' })
    expect(closed).toMatchObject({ state: 'closed', resolvedAt: closed.updatedAt, stateChangedAt: closed.updatedAt })
    expect(closed.stateChangedAt >= createdAt).toBe(true)
    expect(await change(number, { state: 'closed', priority: 1 })).toMatchObject({
      stateChangedAt: closed.stateChangedAt,
      resolvedAt: closed.resolvedAt,
    })
    expect(await change(number, { state: 'open' })).toMatchObject({ state: 'open', resolvedAt: null })
  })

  test.each([
    ['nothing', {}, 'body'],
    ['what cannot be changed', { number: 5, externalId: 'x', reporter: null }, 'number'],
    ['an unknown unit', { title: 'other', unit: 'None' }, 'unit'],
    ['an unknown person', { title: 'other', tags: ['fresh'], supervisor: 'who@example.ee' }, 'supervisor'],
    ['no title', { title: null }, 'title'],
  ])('to %s is 400 and changes nothing', async (_what, changes, field) => {
    const before = await add({ title: 'x', tags: ['a'] })
    const answer = await site.patch(`/tickets/${before.number}`, changes)
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 400, field })
    expect(await show(before.number)).toEqual(before)
    const { tags } = body<{ tags: { name: string }[] }>(await site.get('/tags'))
    expect(tags.map(({ name }) => name)).not.toContain('fresh')
  })
})

describe('an unknown request', () => {
  const numbers = ['0', '999999', '01', '-1', '1.5', 'one', '2147483648', '99999999999999999999', '%00', "1'--"]
  test.each(numbers)('%s is 404 on every route', async (number) => {
    for (const answer of [
      await site.get(`/tickets/${number}`),
      await site.patch(`/tickets/${number}`, { priority: 1, tags: ['never'] }),
      await site.get(`/tickets/${number}/comments`),
      await site.post(`/tickets/${number}/comments`, { content: 'x' }),
      await site.get(`/tickets/${number}/attachments/att_none`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
    }
    const { tags } = body<{ tags: { name: string }[] }>(await site.get('/tags'))
    expect(tags.map(({ name }) => name)).not.toContain('never')
  })

  test('is 404 when it belongs to another site', async () => {
    const other = await addTenant(cloud, 'Another')
    const { number } = await add({ title: 'ours alone' })
    expect((await onSite(cloud, other).get(`/tickets/${number}`)).status).toBe(404)
  })
})
