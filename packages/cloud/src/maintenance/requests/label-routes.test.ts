import type { Ticket } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addTenant, startTestCloud } from '../../testing/cloud.ts'
import { body, onSite } from './testing/site.ts'

interface Labelled {
  id: string
  name: string
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

const add = async (name: string) => body<Labelled>(await site.post('/units', { name }), 201)
const names = async (what: 'units' | 'tags', query = '') =>
  body<Record<string, Labelled[]>>(await site.get(`/${what}${query}`))[what]?.map(({ name }) => name)

describe('a unit of a site', () => {
  test('has a trimmed name', async () => {
    expect(await add('  Korter 7õ ')).toEqual({ id: expect.any(String), name: 'Korter 7õ' })
    expect(await names('units')).toEqual(['Korter 7õ'])
  })

  test('has a unique name on its site; another site may use it too', async () => {
    await add('7')
    const again = await site.post('/units', { name: ' 7' })
    expect([again.status, again.body.message]).toEqual([409, 'this site already has a unit "7"'])
    site = onSite(cloud, await addTenant(cloud, 'A second'))
    await add('7')
    expect(await names('units')).toEqual(['7'])
  })

  test('leaves its requests without a unit when it is removed', async () => {
    const { id } = await add('7')
    const { number } = body<Ticket>(await site.post('/tickets', { title: 'x', unit: '7' }), 201)
    expect((await site.remove(`/units/${id}`)).status).toBe(204)
    expect((await site.get(`/tickets/${number}`)).body).toMatchObject({ title: 'x', unit: null })
    expect((await site.remove(`/units/${id}`)).status).toBe(404)
  })

  test('of another site cannot be removed', async () => {
    const { id } = await add('7')
    const other = onSite(cloud, await addTenant(cloud, `Other ${organizations++}`))
    expect((await other.remove(`/units/${id}`)).status).toBe(404)
    expect((await site.remove('/units/%00')).status).toBe(404)
    expect(await names('units')).toEqual(['7'])
  })

  test.each([
    ['no name', {}],
    ['a blank name', { name: '\u00a0\t' }],
    ['a name of 256 characters', { name: 'x'.repeat(256) }],
    ['a name that is no text', { name: 7 }],
  ])('with %s is 400 naming the field', async (_what, unit) => {
    const answer = await site.post('/units', unit)
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 400, code: 'INVALID', field: 'name' })
  })

  test('is listed once, by name, in pages', async () => {
    for (const name of ['b', 'a', 'õ', 'A', '10']) await add(name)
    const first = body<{ nextCursor: string }>(await site.get('/units?limit=3'))
    expect(await names('units', '?limit=3')).toEqual(['10', 'A', 'a'])
    expect(await names('units', `?limit=3&cursor=${first.nextCursor}`)).toEqual(['b', 'õ'])
  })
})

describe('the tags of a site', () => {
  test('come from its own requests, not from those of other sites', async () => {
    const { number } = body<Ticket>(await site.post('/tickets', { title: 'x', tags: [' leak ', 'water'] }), 201)
    await site.patch(`/tickets/${number}`, { tags: ['Water', 'water'] })
    expect(await names('tags')).toEqual(['Water', 'leak', 'water'])
    site = onSite(cloud, await addTenant(cloud, `Other ${organizations++}`))
    expect(await names('tags')).toEqual([])
  })

  test('are created once, even when requests with the same tags arrive together', async () => {
    const tickets = await Promise.all(
      Array.from({ length: 10 }, async () => body<Ticket>(await site.post('/tickets', { title: 'x' }), 201)),
    )
    const orders = [
      ['a', 'b', 'c', 'd'],
      ['d', 'c', 'b', 'a'],
      ['b', 'd', 'a', 'c'],
    ]
    const answers = await Promise.all(
      tickets.flatMap(({ number }, index) => [
        site.patch(`/tickets/${number}`, { tags: orders[index % 3] }),
        site.post('/tickets', { title: 'y', tags: orders[(index + 1) % 3] }),
      ]),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
    expect(await names('tags')).toEqual(['a', 'b', 'c', 'd'])
  })
})
