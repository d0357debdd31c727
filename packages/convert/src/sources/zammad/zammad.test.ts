import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPackage } from '@plantroom/fpl/check-package'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { analyzeSource, convertSource } from '../../convert.ts'
import { ticketsIn } from '../../testing/converted.ts'
import { countsOf, problemsOf, readAll, recordsOf, written } from '../../testing/read-all.ts'
import { zammad } from './index.ts'

const REPLIES = ['tickets', 'articles', 'users', 'tags'].map((name) => join(import.meta.dirname, `golden/${name}.json`))

describe('replies of a Zammad', () => {
  test('contain all tickets, articles and files', async () => {
    // The first article of two tickets is their description.
    expect(countsOf(await readAll(zammad, REPLIES))).toEqual({ records: 3, comments: 3, files: 2 })
  })

  test('give every field a column, and the first article the description', async () => {
    const [first, second, third] = await readAll(zammad, REPLIES)
    expect(Object.fromEntries(first?.values ?? [])).toMatchObject({
      'External id': 'zammad-35',
      Number: '67035',
      Title: 'Radiator is cold',
      Description: expect.stringMatching(/^The radiator is cold & leaks\.\s+Please come after 17:00\.$/),
      State: 'closed',
      Priority: '3 high',
      Group: 'Building B',
      Organization: 'Kelluka',
      Customer: 'Mari Maasikas',
      'Customer email': 'mari.maasikas@example.ee',
      'Customer phone': '+372 5555 0101',
      'Owner email': 'jaan.oun@example.ee',
      Tags: 'heating, radiator',
      Closed: '2026-04-07T06:30:00.000Z',
      'First closed': '2026-04-05T08:00:00.000Z',
      'Internal comments': '1',
      apartment: 'B-12',
    })
    expect(first?.files).toMatchObject(
      [{ name: 'radiator õhtul.jpg', contentType: 'image/jpeg', paths: ['35/101/7'] }].map((file) => ({
        ...file,
        paths: expect.arrayContaining(file.paths),
      })),
    )
    // Opened again after it was closed, and owned by nobody.
    expect(second?.values.has('Closed')).toBe(false)
    expect(second?.values.get('Closed before')).toBe('2026-04-04T08:00:00.000Z')
    expect([...(second?.values.keys() ?? [])].filter((column) => column.startsWith('Owner'))).toEqual([])
    expect(third?.values.get('Customer email')).toBe('gone@example.ee')
  })

  test('keep articles in the order of time, with whoever said it, and mark internal ones', async () => {
    const [first] = await readAll(zammad, REPLIES)
    expect(first?.comments).toMatchObject([
      { text: '[Internal] The tenant has a dog.', author: { name: 'Jaan Õun' }, files: [{ name: 'invoice.pdf' }] },
      { text: 'She called again.', author: { email: 'mari.maasikas@example.ee' } },
      { text: 'Valve replaced', createdAt: '2026-04-07T06:20:00.000Z' },
    ])
  })

  const unaddressed = (name: string) => ({ 'Owner without address': name })
  test.each<[string, object, object[], object]>([
    [
      'by login',
      { owner: 'j' },
      [{ login: 'j', email: ' j@example.ee ' }],
      { Owner: 'j', 'Owner email': 'j@example.ee' },
    ],
    ['by id', { owner_id: 4 }, [{ id: 4, firstname: 'Jaan', lastname: 'Õun' }], unaddressed('Jaan Õun')],
    ['without an address', { owner_id: 4 }, [{ id: 4, login: 'jaan', email: 'none' }], unaddressed('jaan')],
    ['that the replies do not contain', { owner_id: 4, owner: 'jaan' }, [], unaddressed('jaan')],
    ['of an address alone', { owner: 'jaan@example.ee' }, [], { 'Owner email': 'jaan@example.ee' }],
    ['of an id alone', { owner_id: 4 }, [], unaddressed('Zammad user 4')],
    ['that is nobody', { owner_id: 1 }, [], {}],
    ['that is nobody by login', { owner_id: 1, owner: '-' }, [], {}],
  ])('find an owner %s', async (_who, about, users, expected) => {
    const ticket = { id: 1, number: '67001', title: 'Tap', state: 'new', ...about }
    const inputs = written({ 'a.json': JSON.stringify([ticket]), 'b.json': JSON.stringify(users) })
    const [record] = await readAll(zammad, inputs)
    const found = [...(record?.values ?? [])].filter(([column]) => column.startsWith('Owner'))
    expect(Object.fromEntries(found)).toEqual(expected)
  })

  test('take a mobile number of a customer without another one', async () => {
    const inputs = written({
      'a.json': '[{"id":1,"number":"67001","title":"Tap","customer_id":5}]',
      'b.json': '[{"id":5,"login":"mari","mobile":"+372 5555 0102"}]',
    })
    const [record] = await readAll(zammad, inputs)
    expect(record?.values.get('Customer phone')).toBe('+372 5555 0102')
  })

  test('become a package that a check accepts', async () => {
    const folder = temporaryFolder()
    for (const name of ['files/35/101/7', 'files/35/102/8']) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), 'file')
    }
    const { mapping } = await analyzeSource(zammad, REPLIES)
    const output = join(folder, 'out.fpl')
    await convertSource({ kind: zammad, inputs: REPLIES, mapping, output, attachments: join(folder, 'files') })
    expect(await checkPackage(output)).toMatchObject({ valid: true, tickets: 3 })
    const tickets = await ticketsIn(output)
    expect(tickets.map(({ state, priority, number }) => [state, priority, number])).toEqual([
      ['closed', 2, 67035],
      ['open', 1, 67036],
      ['on_hold', 0, 67037],
    ])
    expect(tickets[0]).toMatchObject({
      resolvedAt: '2026-04-07T06:30:00.000Z',
      createdAt: '2026-04-03T11:05:00.000Z',
      tags: ['heating', 'radiator'],
      assignee: 'jaan.oun@example.ee',
    })
  })

  test('give the same records twice', async () => {
    await using source = await zammad.open(REPLIES)
    expect(await recordsOf(source)).toEqual(await recordsOf(source))
  })
})

describe('replies that cannot be read', () => {
  const ticket = '{"id":1,"number":"67001","title":"Tap","state":"new"}'
  test.each([
    ['an error', '{"error":"Invalid token!"}', 'a.json, line 1', undefined, /error of Zammad \(Invalid token!\)/],
    ['another object', '[{"id":1,"name":"Users"}]', 'a.json, line 1', undefined, /is no ticket, article, user/],
    ['no tickets', '[]', expect.any(String), undefined, /no tickets were found/],
    ['a ticket twice', `[${ticket}]\n[${ticket}]`, 'a.json, line 2', 'id', /already in a\.json, line 1/],
    [
      'an article of another ticket',
      `[${ticket}]\n[{"id":9,"ticket_id":2,"body":"x"}]`,
      'a.json, line 2',
      'ticket_id',
      /belongs to ticket 2/,
    ],
    ['half a file', `[${ticket}`, 'a.json, line 1', undefined, /ends in the middle/],
  ])('are refused with their place: %s', async (_, content, place, column, message) => {
    const [problem, ...others] = await problemsOf(zammad, written({ 'a.json': content }))
    expect(problem).toMatchObject({ place, message: expect.stringMatching(message) })
    expect(problem?.column).toBe(column)
    expect(others).toEqual([])
  })
})
