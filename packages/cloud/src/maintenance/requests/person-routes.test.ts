import type { Ticket } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addTenant, startTestCloud } from '../../testing/cloud.ts'
import { body, onSite } from './testing/site.ts'

interface Somebody {
  id: string
  email: string
  name: string | null
  phone: string | null
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let site: ReturnType<typeof onSite>
let organizations = 0

beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())
beforeEach(async () => {
  site = onSite(cloud, await addTenant(cloud, `Organization ${organizations++}`))
})

const add = async (person: object) => body<Somebody>(await site.post('/people', person), 201)
const list = async (query = '') =>
  body<{ people: Somebody[]; nextCursor: string | null }>(await site.get(`/people${query}`))

describe('a person of a site', () => {
  test('has an email, and optionally a name and a phone', async () => {
    const mari = await add({ email: 'Mari@example.ee', name: 'Mari Õun', phone: '+372 5' })
    const jaan = await add({ email: 'jaan@example.ee' })
    expect(mari).toEqual({ id: expect.any(String), email: 'Mari@example.ee', name: 'Mari Õun', phone: '+372 5' })
    expect(jaan).toEqual({ id: expect.any(String), email: 'jaan@example.ee', name: null, phone: null })
    expect(await list()).toEqual({ people: [jaan, mari], nextCursor: null })
  })

  test('has a unique email, in any case', async () => {
    const mari = await add({ email: 'Õie@example.ee' })
    const again = await site.post('/people', { email: 'õIE@EXAMPLE.ee' })
    expect([again.status, again.body.message]).toEqual([
      409,
      'this site already has a person with the email õIE@EXAMPLE.ee',
    ])
    const jaan = await add({ email: 'jaan@example.ee' })
    expect((await site.patch(`/people/${jaan.id}`, { email: 'ÕIE@example.ee' })).status).toBe(409)
    expect((await list()).people).toEqual([jaan, mari])
  })

  test('is added once when many callers add them at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => site.post('/people', { email: 'mari@example.ee' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
  })

  test('may belong to two sites', async () => {
    await add({ email: 'mari@example.ee' })
    site = onSite(cloud, await addTenant(cloud, 'A second'))
    await add({ email: 'mari@example.ee' })
    expect((await list()).people).toHaveLength(1)
  })

  test('changes only the given fields', async () => {
    const before = await add({ email: 'mari@example.ee', name: 'Mari', phone: '5' })
    const after = { ...before, email: 'Mari@new.ee', phone: null }
    expect(body(await site.patch(`/people/${before.id}`, { email: 'Mari@new.ee', phone: null }))).toEqual(after)
    expect((await list()).people).toEqual([after])
  })

  test('is no longer an assignee once removed; their requests keep their text', async () => {
    const { id } = await add({ email: 'mari@example.ee', name: 'Mari' })
    const roles = { assignee: 'mari@example.ee', supervisor: 'mari@example.ee', watchers: ['mari@example.ee'] }
    const reporter = { email: 'mari@example.ee', name: 'Said' }
    const { number } = body<Ticket>(await site.post('/tickets', { title: 'x', reporter, ...roles }), 201)
    await site.post(`/tickets/${number}/comments`, { content: 'x', author: { email: 'mari@example.ee' } })
    expect((await site.remove(`/people/${id}`)).status).toBe(204)
    expect(body<Ticket>(await site.get(`/tickets/${number}`))).toMatchObject({
      reporter: { email: 'mari@example.ee', name: 'Said', phone: null },
      assignee: null,
      supervisor: null,
      watchers: [],
      comments: [{ author: { email: 'mari@example.ee', name: null, phone: null } }],
    })
    expect((await site.remove(`/people/${id}`)).status).toBe(404)
  })

  test('can be removed while requests are assigned to them; each assignment succeeds or fails completely', async () => {
    const { id } = await add({ email: 'mari@example.ee' })
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
    for (const _ of numbers) await site.post('/tickets', { title: 'x', assignee: 'mari@example.ee' })
    const [removed, ...changed] = await Promise.all([
      site.remove(`/people/${id}`),
      ...numbers.map((number) => site.patch(`/tickets/${number}`, { supervisor: 'mari@example.ee' })),
      ...numbers.map((number) =>
        site.post(`/tickets/${number}/comments`, { content: 'x', author: { email: 'mari@example.ee' } }),
      ),
    ])
    expect(removed?.status).toBe(204)
    for (const { status } of changed) expect([200, 201, 400]).toContain(status)
    for (const number of numbers) {
      expect((await site.get(`/tickets/${number}`)).body).toMatchObject({ assignee: null, supervisor: null })
    }
  })

  test.each([
    ['no address', { name: 'Mari' }, 'email'],
    ['a bad address', { email: 'mari@example' }, 'email'],
    ['an address with a name', { email: 'Mari <mari@example.ee>' }, 'email'],
    ['an address of 256 characters', { email: `${'x'.repeat(245)}@example.ee` }, 'email'],
    ['a name of 256 characters', { email: 'a@b.ee', name: 'x'.repeat(256) }, 'name'],
    ['a telephone of 65 characters', { email: 'a@b.ee', phone: '5'.repeat(65) }, 'phone'],
  ])('with %s is 400 naming the field', async (_what, person, field) => {
    const answer = await site.post('/people', person)
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 400, code: 'INVALID', field })
    expect((await list()).people).toEqual([])
  })

  test('is 404 when unknown or of another site', async () => {
    const { id } = await add({ email: 'mari@example.ee' })
    const other = onSite(cloud, await addTenant(cloud, `Other ${organizations++}`))
    for (const answer of [
      await other.patch(`/people/${id}`, { name: 'x' }),
      await other.remove(`/people/${id}`),
      await site.patch('/people/person_none', { name: 'x' }),
    ]) {
      expect(answer.status).toBe(404)
    }
    expect((await site.patch(`/people/${id}`, {})).status).toBe(400)
    expect((await site.remove('/people/%00')).status).toBe(404)
    expect((await list()).people).toMatchObject([{ id, name: null }])
  })
})

describe('the people of a site', () => {
  test('are listed once each, by email, in pages', async () => {
    const emails = ['b@example.ee', 'A@example.ee', 'õ@example.ee', 'C@example.ee', 'a@example.fi']
    for (const email of emails) await add({ email })
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      seen.push(...page.people.map(({ email }) => email))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(['A@example.ee', 'a@example.fi', 'b@example.ee', 'C@example.ee', 'õ@example.ee'])
  })
})
