import type { Ticket, TicketComment } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { body, databaseOf, imported, importRequests, onSite } from './testing/site.ts'

interface Page {
  comments: TicketComment[]
  nextCursor: string | null
}
interface Mail {
  ticketNumber: number
  recipient: string
  subject: string
  body: string
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let site: ReturnType<typeof onSite>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  site = onSite(cloud, tenant)
  await site.post('/people', { email: 'staff@example.ee', name: 'Staff Member' })
})
afterAll(() => cloud?.stop())

async function addRequest(reporter: object | null = null): Promise<number> {
  return body<Ticket>(await site.post('/tickets', { title: 'Tap', reporter }), 201).number
}
async function say(number: number, comment: object) {
  return body<TicketComment & { mailedTo: string | null }>(await site.post(`/tickets/${number}/comments`, comment), 201)
}
const conversation = async (number: number) => body<Ticket>(await site.get(`/tickets/${number}`)).comments
const mailsOf = async (number: number) =>
  body<{ mails: Mail[] }>(await site.get('/outbox?limit=1000')).mails.filter((mail) => mail.ticketNumber === number)

const NOBODY = { id: null, email: null, name: null, phone: null }
const said = (content: string) => ({ content, author: NOBODY, createdAt: null, attachments: [] })

describe('a staff comment', () => {
  test('is added at the end of the conversation and updates the request', async () => {
    const number = await addRequest()
    const first = await say(number, { content: ' one\n ' })
    expect(first).toEqual({
      content: ' one\n ',
      author: null,
      createdAt: expect.any(String),
      attachments: [],
      mentions: [],
      mailedTo: null,
    })
    await say(number, { content: 'two', author: { name: 'Somebody' } })
    const third = await say(number, { content: 'three', author: { email: 'STAFF@example.ee' } })
    expect((await conversation(number)).map(({ content, author }) => [content, author])).toEqual([
      [' one\n ', null],
      ['two', { email: null, name: 'Somebody', phone: null }],
      ['three', { email: 'staff@example.ee', name: 'Staff Member', phone: null }],
    ])
    expect(body<Ticket>(await site.get(`/tickets/${number}`)).updatedAt).toBe(third.createdAt)
  })

  test('is mailed to the reporter with the name of its author', async () => {
    const number = await addRequest({ email: 'mari@example.ee', name: 'Mari' })
    const { mailedTo } = await say(number, { content: 'We come <b>today</b>', author: { email: 'staff@example.ee' } })
    expect(mailedTo).toBe('mari@example.ee')
    const mails = await mailsOf(number)
    expect(mails).toMatchObject([{ recipient: 'mari@example.ee', subject: `[#${number}] Tap` }])
    expect(mails[0]?.body).toContain('Staff Member commented')
    expect(mails[0]?.body).toContain('We come <b>today</b>')
  })

  test('is mailed to the current email of a linked person', async () => {
    const person = body<{ id: string }>(await site.post('/people', { email: 'old@example.ee' }), 201)
    const number = await addRequest({ email: 'old@example.ee' })
    await site.patch(`/people/${person.id}`, { email: 'new@example.ee' })
    expect((await say(number, { content: 'x' })).mailedTo).toBe('new@example.ee')
    await site.remove(`/people/${person.id}`)
    expect((await say(number, { content: 'x' })).mailedTo).toBe('old@example.ee')
  })

  test('is not mailed when the reporter has no email or is the author', async () => {
    const unknown = await addRequest({ name: 'Passer-by' })
    expect((await say(unknown, { content: 'x' })).mailedTo).toBeNull()
    const reported = await addRequest({ email: 'mari@example.ee' })
    expect((await say(reported, { content: 'x', author: { email: 'MARI@example.ee' } })).mailedTo).toBeNull()
    expect([...(await mailsOf(unknown)), ...(await mailsOf(reported))]).toEqual([])
  })

  test('on an imported request is mailed; imported comments are not', async () => {
    const reporter = { ...NOBODY, email: 'imported@example.ee' }
    const ticket = imported('old', { reporter, comments: [said('before')] })
    const number = await importRequests(databaseOf(cloud), tenant.siteId, [ticket])
    expect(await mailsOf(number)).toEqual([])
    await say(number, { content: 'after' })
    expect((await mailsOf(number)).map(({ recipient }) => recipient)).toEqual(['imported@example.ee'])
    expect((await conversation(number)).map(({ content }) => content)).toEqual(['before', 'after'])
  })

  test('is kept with its mail when thirty arrive at the same time', async () => {
    const number = await addRequest({ email: 'mari@example.ee' })
    const wanted = Array.from({ length: 30 }, (_, index) => `comment ${index}`)
    await Promise.all(wanted.map((content) => say(number, { content })))
    expect((await conversation(number)).map(({ content }) => content).toSorted()).toEqual(wanted.toSorted())
    expect(await mailsOf(number)).toHaveLength(30)
  })

  test('may have 50,000 characters', async () => {
    const number = await addRequest()
    const content = '🔥'.repeat(50_000)
    expect((await say(number, { content })).content === content).toBe(true)
    expect((await conversation(number))[0]?.content === content).toBe(true)
  })

  test.each([
    ['no content', {}, 'content'],
    ['blank content', { content: ' \n' }, 'content'],
    ['content that is no text', { content: 5 }, 'content'],
    ['50,001 characters', { content: 'x'.repeat(50_001) }, 'content'],
    ['an author who is nobody', { content: 'x', author: { name: ' ' } }, 'author'],
    ['an author of a bad address', { content: 'x', author: { email: 'a b@c.ee' } }, 'author.email'],
  ])('with %s is 400 naming the field; nothing is added or mailed', async (_what, comment, field) => {
    const number = await addRequest({ email: 'mari@example.ee' })
    const answer = await site.post(`/tickets/${number}/comments`, comment)
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 400, code: 'INVALID', field })
    expect([await conversation(number), await mailsOf(number)]).toEqual([[], []])
  })

  test('of more than a megabyte is 413', async () => {
    const number = await addRequest()
    const answer = await site.post(`/tickets/${number}/comments`, { content: 'x'.repeat(1024 * 1024) })
    expect([answer.status, await conversation(number)]).toEqual([413, []])
  })
})

describe('a long conversation', () => {
  const page = async (number: number, query: string) =>
    body<Page>(await site.get(`/tickets/${number}/comments${query}`))

  async function readAll(number: number, limit: number): Promise<{ contents: string[]; pages: number }> {
    const contents: string[] = []
    let pages = 0
    let cursor: string | null = null
    do {
      const found: Page = await page(number, `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
      contents.push(...found.comments.map(({ content }) => content))
      cursor = found.nextCursor
      pages += 1
    } while (cursor !== null)
    return { contents, pages }
  }

  test('is paged; the request includes the first page', async () => {
    const contents = Array.from({ length: 250 }, (_, index) => `comment ${index}`)
    const ticket = imported('talkative', { comments: contents.map(said) })
    const number = await importRequests(databaseOf(cloud), tenant.siteId, [ticket])
    const shown = body<Ticket & { commentsCursor: string }>(await site.get(`/tickets/${number}`))
    expect(shown.comments.map(({ content }) => content)).toEqual(contents.slice(0, 100))
    const rest = await page(number, `?limit=1000&cursor=${shown.commentsCursor}`)
    expect(rest.comments.map(({ content }) => content)).toEqual(contents.slice(100))
    expect(rest.nextCursor).toBeNull()
    expect(await readAll(number, 250)).toEqual({ contents, pages: 1 })
    expect(await readAll(number, 249)).toEqual({ contents, pages: 2 })
    expect(await readAll(number, 7)).toEqual({ contents, pages: 36 })
  })

  test('of long comments has more pages, with every comment once', async () => {
    const contents = Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(399_999)}`)
    const ticket = imported('verbose', { comments: contents.map(said) })
    const number = await importRequests(databaseOf(cloud), tenant.siteId, [ticket])
    const found = await readAll(number, 1000)
    expect(found.contents.map((content) => [content[0], content.length])).toEqual(
      contents.map((content) => [content[0], 400_000]),
    )
    expect(found.pages).toBe(4)
  })

  test('without comments is one empty page', async () => {
    expect(await page(await addRequest(), '')).toEqual({ comments: [], nextCursor: null })
  })
})
