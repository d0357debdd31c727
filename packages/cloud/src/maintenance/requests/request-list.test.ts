import type { TicketSummary } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { body, databaseOf, imported, importRequests, onSite } from './testing/site.ts'

interface Page {
  tickets: TicketSummary[]
  nextCursor: string | null
  total?: number
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let site: ReturnType<typeof onSite>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  site = onSite(cloud, tenant)
  await site.post('/people', { email: 'Jaan@example.ee', name: 'Jaan Tamm' })
  await site.post('/units', { name: 'Apartment 7' })
  await site.post('/tickets', { title: 'Tap drips', description: 'in the KÖÖK, 100% wet', tags: ['water', 'leak'] })
  await site.post('/tickets', { title: 'No heat', state: 'open', priority: 0, unit: 'Apartment 7', tags: ['heat'] })
  await site.post('/tickets', { title: 'Door_stuck', state: 'closed', priority: 3, assignee: 'jaan@example.ee' })
  await site.post('/tickets', { title: 'Back\\slash', state: 'on_hold', reporter: { email: 'JAAN@example.ee' } })
  await site.post('/tickets', { title: 'Odd rise', reporter: { name: 'Õie Mägi', phone: '+372 555' }, tags: ['water'] })
  await site.post('/tickets/1/comments', { content: 'one' })
  await site.post('/tickets/1/comments', { content: 'two' })
  // On another site, so it must not appear.
  const other = onSite(cloud, await addTenant(cloud, 'Other'))
  await other.post('/tickets', { title: 'Tap drips', tags: ['water'] })
})
afterAll(() => cloud?.stop())

const list = async (query = '', of = site) => body<Page>(await of.get(`/tickets${query}`))
const numbers = ({ tickets }: Page) => tickets.map(({ number }) => number)

const cursorOf = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')

async function listAll(query: string, of = site): Promise<number[]> {
  const all: number[] = []
  let cursor: string | null = null
  do {
    const page: Page = await list(`?${query}${cursor === null ? '' : `&cursor=${cursor}`}`, of)
    all.push(...numbers(page))
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

describe('the requests of a site', () => {
  test('are listed as summaries, newest first', async () => {
    const { tickets, nextCursor, total } = await list()
    expect(tickets.map(({ title }) => title)).toEqual(['Odd rise', 'Back\\slash', 'Door_stuck', 'No heat', 'Tap drips'])
    expect(tickets.at(-1)).toEqual({
      number: 1,
      externalId: expect.any(String),
      title: 'Tap drips',
      state: 'new',
      priority: null,
      safetyHazard: null,
      reporter: null,
      assignee: null,
      unit: null,
      tags: ['water', 'leak'],
      commentCount: 2,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(tickets[1]?.reporter).toEqual({ email: 'Jaan@example.ee', name: 'Jaan Tamm', phone: null })
    expect(tickets[2]?.assignee).toEqual({ email: 'Jaan@example.ee', name: 'Jaan Tamm', phone: null })
    expect([nextCursor, total]).toEqual([null, undefined])
  })

  test('are counted on request', async () => {
    expect((await list('?total=true&limit=1')).total).toBe(5)
    expect((await list('?total=true&limit=1&tag=water')).total).toBe(2)
    expect((await list('?total=false')).total).toBeUndefined()
  })

  test('are counted by state, whatever the filter of states', async () => {
    expect(body(await site.get('/tickets/counts?tag=water&state=closed'))).toEqual({
      total: 0,
      byState: { new: 2, open: 0, in_progress: 0, on_hold: 0, resolved: 0, closed: 0, canceled: 0 },
    })
    expect(body(await site.get('/tickets/counts?q=tap'))).toMatchObject({ total: 1, byState: { new: 1 } })
  })

  test.each([
    ['a state', 'state=new', [5, 1]],
    ['several states', 'state=open&state=closed&state=open', [3, 2]],
    ['a priority', 'priority=0', [2]],
    ['a tag', 'tag=water', [5, 1]],
    ['a tag with space around it', 'tag=%20water%20', [5, 1]],
    ['a tag in another case, which is another', 'tag=Water', []],
    ['a unit', 'unit=Apartment%207', [2]],
    ['a unit that there is not', 'unit=Apartment', []],
    ['an assignee in any case', 'assignee=JAAN@EXAMPLE.EE', [3]],
    ['an assignee who is nobody', 'assignee=who', []],
    ['a text in the title, in any case', 'q=TAP', [1]],
    ['a text in the description, in any case', 'q=k%C3%B6%C3%B6k', [1]],
    ['the name of a reporter', 'q=%C3%B5ie', [5]],
    ['the telephone of a reporter', 'q=372%20555', [5]],
    ['the name of a person of the site who reported', 'q=tamm', [4]],
    ['% as a letter', 'q=%25', [1]],
    ['_ as a letter', 'q=r_s', [3]],
    ['a backslash as a letter', 'q=%5C', [4]],
    ['a quote and a command', "q=')%20OR%201=1%20--", []],
    ['several at once', 'tag=water&state=new&q=tap', [1]],
    ['a text in a comment, in any case', 'q=TWO', [1]],
    ['nobody as the assignee', 'assigned=nobody', [5, 4, 2, 1]],
    ['the email of a reporter of the site, in any case', 'reporter=jaan@EXAMPLE.ee', [4]],
    ['the email of a reporter from elsewhere', 'reporter=guest@elsewhere.ee', []],
    ['a period', 'createdSince=2000-01-01T00:00:00Z&createdUntil=9999-01-01T00:00:00Z', [5, 4, 3, 2, 1]],
    ['a time before', 'createdUntil=2000-01-01T00:00:00Z', []],
    ['a time on', 'createdSince=2000-01-01T00:00:00Z', [5, 4, 3, 2, 1]],
    ['a time to come', 'createdSince=9999-12-31T23:59:59Z', []],
    ['a time of the year 0', 'updatedSince=0000-01-01T00:00:00Z', [5, 4, 3, 2, 1]],
  ])('can be filtered by %s', async (_what, query, wanted) => {
    expect(numbers(await list(`?${query}`))).toEqual(wanted)
    expect(await listAll(`${query}&limit=1`)).toEqual(wanted)
  })

  test('can be found by externalId', async () => {
    const externalId = (await list()).tickets[2]?.externalId
    expect(numbers(await list(`?q=${externalId}`))).toEqual([3])
  })

  test('can be filtered by change time, even without updatedAt', async () => {
    const place = await addTenant(cloud, 'Old ones')
    const of = onSite(cloud, place)
    await importRequests(databaseOf(cloud), place.siteId, [
      imported('a', { createdAt: '2020-01-01T00:00:00Z' }),
      imported('b', { createdAt: '2020-01-01T00:00:00Z', updatedAt: '2021-01-01T00:00:00Z' }),
      imported('c', { createdAt: '2022-01-01T00:00:00Z' }),
    ])
    expect(await listAll('updatedSince=2021-01-01T00:00:00Z', of)).toEqual([3, 2])
    expect(await listAll('createdSince=2021-01-01T00:00:00Z', of)).toEqual([3])
    await of.patch('/tickets/1', { priority: 1 })
    expect(await listAll('updatedSince=2021-01-01T00:00:00Z', of)).toEqual([3, 2, 1])
  })

  test.each([
    ['state=lost', 'state[0]', 'must be one of: new, open'],
    ['state=', 'state[0]', 'must be one of'],
    ['priority=4', 'priority', 'must be one of: 0, 1, 2, 3'],
    ['limit=0', 'limit', 'at least 1'],
    ['limit=1001', 'limit', 'at most 1000'],
    ['cursor=last', 'cursor', 'must be the nextCursor'],
    ['q=', 'q', 'must not be empty'],
    ['q=a%00', 'q', 'U+0000'],
    [`q=${'x'.repeat(256)}`, 'q', 'at most 255 characters'],
    ['tag=a&tag=b', 'tag', 'type string'],
    ['createdSince=yesterday', 'createdSince', 'must be a time with a zone'],
    ['sort=reporter', 'sort', 'must be one of: created, changed'],
    ['order=up', 'order', 'must be one of: asc, desc'],
    ['assigned=me', 'assigned', 'send the email as assignee instead'],
    ['assigned=nobody&assignee=a@b.ee', 'assigned', 'exclude each other'],
    ['format=xml', 'format', 'must be one of: json, csv'],
    ['total=yes', 'total', 'must be one of: true, false'],
  ])('with %s are 400 naming the field', async (query, field, words) => {
    const { status, body } = await site.get(`/tickets?${query}`)
    expect([status, body.field, body.message]).toEqual([400, field, expect.stringContaining(words)])
  })

  test.each([
    ['of another sort', 'sort=title', 'sort=number'],
    ['of another order', 'sort=number&order=asc', 'sort=number'],
  ])('with a cursor %s are 400', async (_what, query, other) => {
    const { nextCursor } = await list(`?${other}&limit=1`)
    const { status, body } = await site.get(`/tickets?${query}&cursor=${nextCursor}`)
    expect([status, body.field]).toEqual([400, 'cursor'])
  })

  test.each([
    ['a number from a version before', '299'],
    ['no list', cursorOf({})],
    ['a time that does not exist', cursorOf(['created', 'desc', 1, '2024-02-30 00:00:00+00', 1])],
    ['a number that is none', cursorOf(['created', 'desc', 1, '2024-02-20 00:00:00+00', 1e300])],
    ['another type', cursorOf(['created', 'desc', 1, 'x', 1])],
  ])('with a forged cursor, %s, are 400', async (_what, cursor) => {
    const { status, body } = await site.get(`/tickets?cursor=${cursor}`)
    expect([status, body.field]).toEqual([400, 'cursor'])
  })
})

describe('many requests', () => {
  let many: ReturnType<typeof onSite>
  let place: Tenant
  beforeAll(async () => {
    place = await addTenant(cloud, 'Many')
    many = onSite(cloud, place)
  })

  test('are listed completely, each once, with any page size', async () => {
    const tickets = Array.from({ length: 1001 }, (_, index) => imported(`m${index}`))
    await importRequests(databaseOf(cloud), place.siteId, tickets)
    const all = Array.from({ length: 1001 }, (_, index) => 1001 - index)
    expect(await listAll('limit=1000', many)).toEqual(all)
    expect(await listAll('limit=77', many)).toEqual(all)
    expect(numbers(await list('', many))).toEqual(all.slice(0, 100))
  })

  test('that arrive during paging do not disturb the pages', async () => {
    let underWay = true
    const adding = (async () => {
      while (underWay) await Promise.all([1, 2, 3].map(() => many.post('/tickets', { title: 'meanwhile' })))
    })()
    const first = await list('?sort=number&limit=300', many)
    await many.post('/tickets', { title: 'in between' })
    const seen = numbers(first)
    for (let cursor = first.nextCursor; cursor !== null; ) {
      const page = await list(`?sort=number&limit=300&cursor=${cursor}`, many)
      seen.push(...numbers(page))
      cursor = page.nextCursor
    }
    underWay = false
    await adding
    const highest = seen[0] ?? 0
    expect(highest).toBeLessThan((await list('?sort=number&limit=1', many)).tickets[0]?.number ?? 0)
    expect(seen).toEqual(Array.from({ length: highest }, (_, index) => highest - index))
  })
})
