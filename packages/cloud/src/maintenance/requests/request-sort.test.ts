import { createLog } from '@plantroom/base/log'
import type { TicketSummary } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { addTenant, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { body, databaseOf, imported, importRequests, onSite } from './testing/site.ts'

interface Page {
  tickets: TicketSummary[]
  nextCursor: string | null
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let site: ReturnType<typeof onSite>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  site = onSite(cloud, tenant)
})
afterAll(() => cloud?.stop())

/** Reads all pages of two, so that each order is also tested across cursors. */
async function listAll(query: string, limit = 2): Promise<number[]> {
  const all: number[] = []
  let cursor: string | null = null
  do {
    const page: Page = body(
      await site.get(`/tickets?${query}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`),
    )
    all.push(...page.tickets.map(({ number }) => number))
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

describe('requests of a package, from the oldest to the newest', () => {
  beforeAll(async () => {
    const people = ['mari@example.ee', 'Anna@example.ee', 'zoe@example.ee']
    const ids: string[] = []
    for (const email of people) {
      const name = email === 'zoe@example.ee' ? ' ' : email.slice(0, 4)
      ids.push(body<{ id: string }>(await site.post('/people', { email, name }), 201).id)
    }
    const [mari = null, anna = null, zoe = null] = ids
    const day = (number: number) => `2024-05-0${number}T10:00:00.123Z`
    await using db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
    await importRequests(db, tenant.siteId, [
      imported('a', { title: 'beta', state: 'closed', priority: 3, createdAt: day(1), updatedAt: day(9) }),
      imported('b', { title: 'Alpha', state: 'new', priority: null, createdAt: day(5), assigneeId: mari }),
      imported('c', { title: 'alpha', state: 'open', priority: 0, createdAt: day(2), assigneeId: anna }),
      imported('d', { title: 'Gamma 3', state: 'new', priority: 3, createdAt: day(5), assigneeId: zoe }),
      imported('e', { title: '1st', state: 'canceled', priority: null, createdAt: day(3), assigneeId: anna }),
    ])
    await site.post('/tickets/5/comments', { content: 'see #3 and 3' })
    // The comment changed the time of the last change.
    await db.updateTable('ticket').set({ updated_at: null }).where('number', '=', 5).execute()
  })

  test.each([
    ['by default, the newest first', '', [4, 2, 5, 3, 1]],
    ['created, the oldest first', 'sort=created&order=asc', [1, 3, 5, 2, 4]],
    ['changed', 'sort=changed', [1, 4, 2, 5, 3]],
    ['number', 'sort=number', [5, 4, 3, 2, 1]],
    ['number upwards', 'sort=number&order=asc', [1, 2, 3, 4, 5]],
    ['priority, without one last', 'sort=priority', [4, 1, 3, 5, 2]],
    ['priority upwards, without one last', 'sort=priority&order=asc', [3, 1, 4, 2, 5]],
    ['state in the order of the states', 'sort=state&order=asc', [2, 4, 3, 1, 5]],
    ['state backwards', 'sort=state', [5, 1, 3, 4, 2]],
    ['title in any case', 'sort=title&order=asc', [5, 2, 3, 1, 4]],
    ['title backwards', 'sort=title', [4, 1, 3, 2, 5]],
    ['name of the assignee, or else the email; without one last', 'sort=assignee&order=asc', [3, 5, 2, 4, 1]],
    ['assignee backwards, without one last', 'sort=assignee', [4, 2, 5, 3, 1]],
    ['a filter and a sort', 'sort=priority&state=new&state=closed', [4, 1, 2]],
    ['the number searched first, then the sort', 'q=3&sort=title', [3, 4, 5]],
    ['the number searched with #', 'q=%233', [3, 5]],
    ['the number searched first, before those without a value', 'q=3&sort=priority', [3, 4, 5]],
  ])('are sorted: %s', async (_what, query, wanted) => {
    expect(await listAll(query)).toEqual(wanted)
    expect(await listAll(query, 1)).toEqual(wanted)
    expect(await listAll(query, 100)).toEqual(wanted)
  })

  test('keep their place while the values of others change', async () => {
    const first: Page = body(await site.get('/tickets?sort=title&order=asc&limit=2'))
    await site.patch('/tickets/2', { title: 'zeta' })
    const next: Page = body(await site.get(`/tickets?sort=title&order=asc&cursor=${first.nextCursor}`))
    expect(next.tickets.map(({ number }) => number)).toEqual([3, 1, 4, 2])
    await site.patch('/tickets/2', { title: 'Alpha' })
  })
})

describe('the text that a search looks at', () => {
  const search = async (q: string) => listAll(`q=${encodeURIComponent(q)}&sort=number&order=asc`)

  test('follows changes of the request', async () => {
    const { number } = body<TicketSummary>(await site.post('/tickets', { title: 'Quokka', description: 'Wombat' }), 201)
    expect([await search('quokk'), await search('WOMBAT')]).toEqual([[number], [number]])
    await site.patch(`/tickets/${number}`, { title: 'Numbat', description: null })
    expect([await search('quokk'), await search('wombat'), await search('umba')]).toEqual([[], [], [number]])
  })

  test('includes imported comments, and goes with them', async () => {
    const db = databaseOf(cloud)
    const author = { id: null, email: null, name: null, phone: null }
    const comment = { content: 'Bilby ÕÖ', author, createdAt: null, attachments: [] }
    const number = await importRequests(db, tenant.siteId, [imported('with comment', { comments: [comment] })])
    expect(await search('bilby õö')).toEqual([number])
    await db.deleteFrom('ticket_comment').where('ticket_id', '=', 'ticket_with comment').execute()
    expect(await search('bilby')).toEqual([])
    await db.deleteFrom('ticket').where('id', '=', 'ticket_with comment').execute()
    const left = await db.selectFrom('ticket_text').where('ticket_id', '=', 'ticket_with comment').selectAll().execute()
    expect(left).toEqual([])
  })

  test('is that of the site only', async () => {
    const other = onSite(cloud, await addTenant(cloud, 'Other'))
    await other.post('/tickets', { title: 'Secret echidna', description: 'echidna' })
    await other.post('/tickets/1/comments', { content: 'echidna' })
    expect(await search('echidna')).toEqual([])
  })
})

test('the list as CSV contains all that match, in order, and no formula', async () => {
  const place = await addTenant(cloud, 'Spreadsheet')
  const of = onSite(cloud, place)
  await of.post('/tickets', { title: '=HYPERLINK("x")', tags: ['@a', 'b'], reporter: { name: '+372' } })
  await of.post('/tickets', { title: 'Plain', priority: 2 })
  await of.post('/tickets', { title: 'Closed', state: 'closed' })
  const answer = await fetch(`${cloud.ready.baseUrl}${of.base}/tickets?format=csv&state=new&sort=title&order=asc`, {
    headers: { authorization: `Bearer ${cloud.ready.adminToken}` },
  })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const [head, ...lines] = (await answer.text()).trim().split('\r\n')
  expect(head).toBe(
    'number,title,state,priority,safetyHazard,reporter,reporterEmail,assignee,assigneeEmail,unit,tags,comments,createdAt,updatedAt,externalId',
  )
  expect(lines.map((line) => line.split(',').slice(0, 4).join())).toEqual([
    `1,"'=HYPERLINK(""x"")",new,`,
    '2,Plain,new,2',
  ])
  expect(lines[0]).toContain("'+372")
  expect(lines[0]).toContain("'@a; b")
})
