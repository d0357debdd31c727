import { expect, test } from 'vitest'
import { sendWithKey } from './http.ts'
import { sendJson, startServer } from './testing/server.ts'
import { createTicketClient } from './tickets.ts'

const BASE = '/api/orgs/org_1/properties/site_1'

async function clientOf(answer: object) {
  const { url, requests } = await startServer((_asked, response) => sendJson(response, 200, answer))
  const tickets = createTicketClient(sendWithKey(url, 'plr_key'), { orgId: 'org_1', propertyId: 'site_1' })
  return { tickets, asked: () => requests.map(({ method, path, body }) => `${method} ${path} ${body}`.trim()) }
}

test('requests are listed by what is said, and only by that', async () => {
  const { tickets, asked } = await clientOf({ tickets: [], nextCursor: null })
  expect(await tickets.list()).toEqual({ tickets: [], nextCursor: null })
  await tickets.list({ state: 'open', q: 'leak & õ', cursor: undefined, limit: 10 })
  expect(asked()).toEqual([`GET ${BASE}/tickets`, `GET ${BASE}/tickets?state=open&q=leak+%26+%C3%B5&limit=10`])
})

test('requests in one of several states are asked for at once', async () => {
  const { tickets, asked } = await clientOf({ tickets: [], nextCursor: null, total: 0 })
  await tickets.list({ state: ['new', 'on_hold'], priority: 0 })
  await tickets.count({ state: [] })
  expect(asked()).toEqual([
    `GET ${BASE}/tickets?state=new&state=on_hold&priority=0`,
    `GET ${BASE}/tickets?limit=1&total=true`,
  ])
})

test('requests are counted', async () => {
  const { tickets, asked } = await clientOf({ tickets: [], nextCursor: null, total: 12_000 })
  expect(await tickets.count({ tag: 'roof' })).toBe(12_000)
  expect(asked()).toEqual([`GET ${BASE}/tickets?tag=roof&limit=1&total=true`])
})

test('one is found, added and changed, and its conversation goes on', async () => {
  const { tickets, asked } = await clientOf({ number: 7 })
  await tickets.find(7)
  await tickets.add({ title: 'Tap leaks', reporter: { name: 'Mari' } })
  await tickets.change(7, { state: 'closed', assignee: null })
  await tickets.comments(7, '99')
  await tickets.addComment(7, { content: 'Done' })
  expect(asked()).toEqual([
    `GET ${BASE}/tickets/7`,
    `POST ${BASE}/tickets {"title":"Tap leaks","reporter":{"name":"Mari"}}`,
    `PATCH ${BASE}/tickets/7 {"state":"closed","assignee":null}`,
    `GET ${BASE}/tickets/7/comments?cursor=99`,
    `POST ${BASE}/tickets/7/comments {"content":"Done"}`,
  ])
})

test('an attachment has an address of its own', async () => {
  const { tickets, asked } = await clientOf({ url: 'https://files.example/1' })
  expect(await tickets.attachmentUrl(7, 'a/b')).toBe('https://files.example/1')
  expect(asked()).toEqual([`GET ${BASE}/tickets/7/attachments/a%2Fb`])
})

test('a site is given units and people', async () => {
  const { tickets, asked } = await clientOf({ id: 'x' })
  await tickets.addUnit('B-12')
  await tickets.addPerson({ email: 'mari@example.ee' })
  expect(asked()).toEqual([`POST ${BASE}/units {"name":"B-12"}`, `POST ${BASE}/people {"email":"mari@example.ee"}`])
})

test('the units, tags and people of a site are listed, page after page', async () => {
  const { tickets, asked } = await clientOf({ nextCursor: null })
  await tickets.units()
  await tickets.tags('roof & wall')
  await tickets.people('mari@example.ee')
  expect(asked()).toEqual([
    `GET ${BASE}/units`,
    `GET ${BASE}/tags?cursor=roof+%26+wall`,
    `GET ${BASE}/people?cursor=mari%40example.ee`,
  ])
})
