import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkPackage } from '@plantroom/fpl/check-package'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { analyzeSource, convertSource } from '../../convert.ts'
import { ticketsIn } from '../../testing/converted.ts'
import { countsOf, problemsOf, readAll, recordsOf, written } from '../../testing/read-all.ts'
import { osticket } from './index.ts'

const PAGE = join(import.meta.dirname, '../../../../../docs/how-to/convert/osticket.md')
const SCHEMA = join(import.meta.dirname, 'cases/osticket.sql')

/** Runs the statements of the documentation on a database of osTicket. One list of lines a block. */
function exported(): string[] {
  const db = new DatabaseSync(':memory:')
  db.function('to_base64', (bytes) =>
    Buffer.from(bytes as Uint8Array)
      .toString('base64')
      .replaceAll(/(.{76})/g, '$1\n'),
  )
  db.exec(readFileSync(SCHEMA, 'utf8'))
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```sql\n(.*?)^```$/gms)].map(([, block]) => block ?? '')
  const lines = blocks.map((block) =>
    block
      .split(/;\s*\n/)
      .filter((statement) => statement.trim() !== '')
      .flatMap((statement) => db.prepare(statement).all())
      .map((row) => `${Object.values(row)[0]}\n`)
      .join(''),
  )
  db.close()
  return lines
}

const [rows = '', chunks = ''] = exported()
const inputs = () => written({ 'osticket.json': rows, 'files.json': chunks })

describe('the database of an osTicket', () => {
  test('has all tickets, entries and files', async () => {
    // The first message of two tickets is their description. One entry is an older version of another.
    expect(countsOf(await readAll(osticket, inputs()))).toEqual({ records: 3, comments: 3, files: 2 })
  })

  test('gives every field a column, and the first message the description', async () => {
    const [first, second, third] = await readAll(osticket, inputs())
    const apart = ['kind', 'id', 'state', 'user_id', 'staff_id']
    expect(apart.filter((name) => first?.values.has(name))).toEqual([])
    expect(Object.fromEntries(first?.values ?? [])).toMatchObject({
      'External id': 'osticket-35',
      Number: '532761',
      Subject: 'Radiator is cold',
      Description: 'The radiator is cold & leaks.',
      Status: 'Closed',
      Priority: 'High',
      'Help topic': 'Heating',
      Department: 'Support',
      User: 'Mari Maasikas',
      'User email': 'mari.maasikas@example.ee',
      'User phone': '37255550101',
      'Agent email': 'jaan.oun@example.ee',
      'Collaborators email': 'board@example.ee',
      Apartment: 'B-12',
      Building: 'Building B',
      Closed: '2026-04-07 09:30:00',
      'Internal comments': '1',
    })
    expect(second?.values.get('Status')).toBe('open')
    expect(second?.values.get('Status name')).toBe('Waiting for parts')
    expect(third?.values.get('Status')).toBe('Deleted')
  })

  test('keeps entries in order, and marks notes', async () => {
    const [first] = await readAll(osticket, inputs())
    expect(first?.comments).toMatchObject([
      { text: '[Internal] Dog\n\nThe tenant has a dog.', author: { name: 'Jaan Õun' } },
      {
        text: 'We will look at it tomorrow.',
        author: { email: 'jaan.oun@example.ee' },
        files: [{ name: 'invoice.pdf' }],
      },
      { text: 'Thank you', author: { name: 'Mari Maasikas' } },
    ])
    expect(first?.values.get('Replaced entries')).toContain('We will look.')
  })

  test('finds files in chunks, and by key in the folder of the plugin', async () => {
    const [first] = await readAll(osticket, inputs())
    const [photo] = first?.files ?? []
    expect(photo).toMatchObject({ name: 'radiator õhtul.jpg', contentType: 'image/jpeg' })
    expect(photo?.paths[0]).toBe('a/aKey-of_the.photo')
    expect(Buffer.from((await photo?.read?.()) ?? []).toString()).toBe(`${'x'.repeat(200)}end`)
    const [other] = await readAll(osticket, inputs().slice(0, 1))
    expect(other?.files[0]?.read).toBeUndefined()
  })

  test('becomes a package that a check accepts', async () => {
    const files = inputs()
    const { mapping } = await analyzeSource(osticket, files, { timeZone: { name: 'UTC', from: 'option' } })
    const output = join(temporaryFolder(), 'out.fpl')
    await convertSource({ kind: osticket, inputs: files, mapping, output, allowMissing: true })
    expect(await checkPackage(output)).toMatchObject({ valid: true, tickets: 3 })
    const tickets = await ticketsIn(output)
    expect(tickets.map(({ state, priority, number }) => [state, priority, number])).toEqual([
      ['closed', 2, 532761],
      ['open', 1, 532762],
      ['canceled', undefined, 532763],
    ])
    expect(tickets[0]).toMatchObject({
      createdAt: '2026-04-03T14:05:00.000Z',
      resolvedAt: '2026-04-07T09:30:00.000Z',
      tags: ['Heating'],
      ccEmails: ['board@example.ee'],
    })
  })

  test('gives the same records twice', async () => {
    await using source = await osticket.open(inputs())
    const read = async () =>
      JSON.stringify((await recordsOf(source)).map(({ values, comments }) => [[...values], comments]))
    expect(await read()).toBe(await read())
  })
})

describe('an export that cannot be read', () => {
  const ticket = '{"kind":"ticket","id":1,"number":"1","status":"Open"}'
  test.each([
    ['another object', '{"id":1}', 'a.json, line 1', undefined, /is no row of osTicket/],
    ['no tickets', '{"kind":"staff","id":1}', expect.any(String), undefined, /no tickets were found/],
    ['a ticket twice', `${ticket}\n${ticket}`, 'a.json, line 2', 'id', /already in a\.json, line 1/],
    [
      'an entry of no ticket',
      `${ticket}\n{"kind":"entry","id":2}`,
      'a.json, line 2',
      'ticket_id',
      /does not name its ticket/,
    ],
    [
      'an entry of another ticket',
      `${ticket}\n{"kind":"entry","id":2,"ticket_id":9}`,
      'a.json, line 2',
      'ticket_id',
      /belongs to ticket 9/,
    ],
    ['a table of mysql', 'kind\tticket\n', 'a.json, line 1', undefined, /not a JSON export/],
  ])('is refused with its place: %s', async (_, content, place, column, message) => {
    const [problem, ...others] = await problemsOf(osticket, written({ 'a.json': content }))
    expect(problem).toMatchObject({ place, message: expect.stringMatching(message) })
    expect(problem?.column).toBe(column)
    expect(others).toEqual([])
  })
})
