import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SourceRecord } from '../../source.ts'
import { countsOf, problemsOf, readAll, recordsOf, written } from '../../testing/read-all.ts'
import { zendesk } from './index.ts'

const CASES = join(import.meta.dirname, 'cases')
const GOLDEN = ['tickets.ndjson', 'users.ndjson', 'organizations.json', 'ticket_fields.json'].map((name) =>
  join(CASES, name),
)
const LINES = readFileSync(join(CASES, 'tickets.ndjson'), 'utf8').trim().split('\n')

interface RawTicket {
  id: number
  description: string
  comments: { body: string; html_body: string; public: boolean; attachments: unknown[] }[]
}
const TICKETS = LINES.map((line): RawTicket => JSON.parse(line))

function ticketOf(records: readonly SourceRecord[], id: string): SourceRecord {
  const found = records.find(({ values }) => values.get('id') === id)
  if (!found) throw new Error(`no ticket ${id}`)
  return found
}

/** The smallest ticket, with changes. */
const ticket = (change: object = {}) =>
  JSON.stringify({ id: 1, subject: 'Tap', description: 'Drips', status: 'open', requester_id: 5, ...change })

describe('the JSON export of Zendesk', () => {
  test('contains as many tickets, comments and files as its raw text', async () => {
    const raw = TICKETS.flatMap(({ comments }) => comments)
    const repeats = TICKETS.filter(({ comments, description }) => comments.some(({ body }) => body === description))
    const empty = raw.filter(
      ({ html_body, attachments }) => html_body.endsWith('<p></p></div>') && attachments.length === 0,
    )
    const files = readFileSync(join(CASES, 'tickets.ndjson'), 'utf8').match(/"file_name":/g)?.length
    expect(countsOf(await readAll(zendesk, GOLDEN))).toEqual({
      records: LINES.length,
      comments: raw.length - repeats.length - empty.length,
      files,
    })
  })

  test('gives every field of a ticket a column', async () => {
    const { values, files } = ticketOf(await readAll(zendesk, GOLDEN), '35')
    expect(Object.fromEntries(values)).toMatchObject({
      id: '35',
      subject: 'Radiator is cold',
      description: 'The radiator in B-12 is cold.\n\nPlease come after 17:00 – "õhtul".',
      status: 'closed',
      priority: 'high',
      tags: 'heating, radiator',
      created_at: '2026-04-03T11:05:00Z',
      solved_at: '2026-04-05T12:00:00Z',
      status_updated_at: '2026-04-07T09:30:00Z',
      Requester: 'Mari Maasikas',
      'Requester email': 'mari.maasikas@example.ee',
      'Requester phone': '+372 5555 0101',
      'Assignee email': 'jaan.oun@example.ee',
      'Followers email': 'peeter.pold@example.ee',
      'CCs without address': 'Lobby tablet',
      Organization: 'Kelluka KÜ',
      Apartment: 'B-12',
      Trade: 'heating, valve',
      satisfaction_rating: 'good: Kiire töö, aitäh! 👍',
      'Internal comments': '1',
    })
    expect(files.map(({ name }) => name)).toEqual(['radiator õhtul.jpg', 'image001.png'])
  })

  test('names a target for every column of the golden export that is no custom field', async () => {
    const columns = new Set((await readAll(zendesk, GOLDEN)).flatMap(({ values }) => [...values.keys()]))
    const unknown = [...columns].filter((column) => !(column in (zendesk.defaultMapping?.columns ?? {})))
    expect(unknown.toSorted()).toEqual(['Apartment', 'Organization', 'Trade', 'Type'])
  })

  test('marks comments that only agents could see, and keeps the order of time', async () => {
    const records = await readAll(zendesk, GOLDEN)
    expect(ticketOf(records, '35').comments.map(({ text, author }) => [author?.email, text])).toEqual([
      ['jaan.oun@example.ee', 'We will look at it tomorrow.'],
      ['jaan.oun@example.ee', '[Internal] The tenant has a dog. Call first.'],
      ['mari.maasikas@example.ee', 'It is warm again, thank you.'],
    ])
    expect(ticketOf(records, '37').comments.map(({ createdAt }) => createdAt)).toEqual([
      '2026-04-05T08:00:00Z',
      '2026-04-06T05:00:00Z',
    ])
  })

  test('leaves the files of an internal note at the note, also when the ticket began with it', async () => {
    const note = {
      body: 'Drips',
      created_at: '2026-04-01T08:00:00Z',
      attachments: [{ id: 7, file_name: 'alarm code.txt' }],
    }
    const begun = async (change: object) => {
      const [path = ''] = written({ 'tickets.ndjson': ticket({ comments: [{ ...note, ...change }] }) })
      const [record] = await readAll(zendesk, [path])
      const names = (files: readonly { name: string }[] = []) => files.map(({ name }) => name)
      return {
        ofRequest: names(record?.files),
        ofComments: record?.comments.map(({ text, files }) => [text, ...names(files)]),
      }
    }
    expect(await begun({ public: true })).toEqual({ ofRequest: ['alarm code.txt'], ofComments: [] })
    const kept = { ofRequest: [], ofComments: [['[Internal] Drips', 'alarm code.txt']] }
    expect(await begun({ public: false })).toEqual(kept)
  })

  test('keeps people of whom it knows only the id', async () => {
    const records = await readAll(zendesk, GOLDEN)
    expect(ticketOf(records, '37').comments[0]?.author).toEqual({ name: 'Zendesk user 999999' })
    expect(ticketOf(records, '38').values.get('Assignee without address')).toBe('Zendesk user 777777')
    expect(ticketOf(records, '36').values.get('Submitter')).toBe('Jaan Õun')
  })

  test('takes the HTML of a comment that has no plain text, and counts empty comments', async () => {
    const { comments, values } = ticketOf(await readAll(zendesk, GOLDEN), '38')
    expect(comments.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^New key ordered:[\s*]+cylinder\s4[\s*]+door <B>$/),
    ])
    expect(values.get('Empty comments')).toBe('1')
  })

  test('finds a file by its name alone only if no other file has that name', async () => {
    const records = await readAll(zendesk, GOLDEN)
    const paths = records.flatMap(({ files, comments }) => [files, comments.flatMap((comment) => comment.files)].flat())
    expect(paths.find(({ name }) => name === 'invoice 12.pdf')?.paths).toContain('invoice 12.pdf')
    expect(paths.filter(({ name }) => name === 'image001.png').flatMap((file) => file.paths)).not.toContain(
      'image001.png',
    )
  })

  test('reads a list, and lists within an object, like lines', async () => {
    const users = readFileSync(join(CASES, 'users.ndjson'), 'utf8').trim().split('\n')
    const [list, wrapped] = written({
      'list.json': `[${LINES.join(',\n')}]`,
      'wrapped.json': `{"count": 6, "tickets": [${LINES.join(', ')}], "users": [${users.join()}], "next_page": null}`,
    })
    const others = GOLDEN.slice(2)
    const expected = await readAll(zendesk, GOLDEN)
    expect(await readAll(zendesk, [list ?? '', GOLDEN[1] ?? '', ...others])).toEqual(expected)
    expect(await readAll(zendesk, [...others, wrapped ?? ''])).toEqual(expected)
  })

  test.each<[string, string, object, object]>([
    ['Mari', 'users', { requester_id: 5 }, { id: 5, name: 'Mari', email: 'mari@example.ee' }],
    ['Mari', 'users', { requester_id: 5 }, { id: 5, name: 'Mari', role: 'end-user' }],
    ['Kelluka', 'organizations', { organization_id: 8 }, { id: 8, name: 'Kelluka', domain_names: [] }],
    ['Kelluka', 'organizations', { organization_id: 8 }, { id: 8, name: 'Kelluka', shared_tickets: false }],
    ['Service', 'groups', { group_id: 7 }, { id: 7, name: 'Service', default: false }],
    ['Service', 'groups', { group_id: 7 }, { id: 7, name: 'Service', is_public: true }],
    ['B-12', 'ticket_fields', { custom_fields: [{ id: 9, value: 'B-12' }] }, { id: 9, title: 'Flat', type: 'text' }],
    ['B-12', 'ticket_fields', { fields: [{ id: 9, value: 'B-12' }] }, { id: 9, title: 'Flat', raw_title: 'Flat' }],
  ])('finds %s in a list of %s, also in one without a name', async (text, list, about, element) => {
    const columns: Record<string, string> = { users: 'Requester', organizations: 'Organization', groups: 'Group' }
    for (const content of [{ [list]: [element] }, [element]]) {
      const inputs = written({ 'tickets.json': ticket(about), 'others.json': JSON.stringify(content) })
      const [record, ...others] = await readAll(zendesk, inputs)
      expect([record?.values.get(columns[list] ?? 'Flat'), others]).toEqual([text, []])
    }
  })

  test('joins comments from a file of their own', async () => {
    const bare = TICKETS.map(({ comments: _, ...rest }) => JSON.stringify(rest)).join('\n')
    const comments = TICKETS.flatMap(({ id, comments }) => comments.map((comment) => ({ ...comment, ticket_id: id })))
    const separate = comments.toReversed().map((comment) => JSON.stringify(comment))
    const inputs = written({ 'tickets.json': bare, 'comments.json': `{"comments":[${separate.join()}]}` })
    const records = await readAll(zendesk, [...inputs, ...GOLDEN.slice(1)])
    const texts = (all: readonly SourceRecord[]) => all.map((record) => record.comments.map(({ text }) => text))
    expect(texts(records)).toEqual(texts(await readAll(zendesk, GOLDEN)))
  })

  test('gives the same records when it is read twice', async () => {
    await using source = await zendesk.open(GOLDEN)
    const first = await recordsOf(source)
    expect(await recordsOf(source)).toEqual(first)
  })

  test('keeps ids that are too long for a number apart', async () => {
    const inputs = written({
      'tickets.json': '{"id":9007199254740993,"subject":"A"}\n{"id":9007199254740992,"subject":"B"}\n',
    })
    const records = await readAll(zendesk, inputs)
    expect(records.map(({ values }) => values.get('id'))).toEqual(['9007199254740993', '9007199254740992'])
  })

  test('takes fields whose names every object has', async () => {
    const hostile = `${ticket().slice(0, -1)},"constructor":[{"id":2}],"__proto__":{"polluted":"yes"},"toString":"text"}`
    const [record, ...others] = await readAll(zendesk, written({ 'tickets.json': hostile }))
    expect(others).toEqual([])
    expect(record?.values.get('constructor')).toBe('[{"id":2}]')
    expect(record?.values.get('__proto__')).toBe('{"polluted":"yes"}')
    expect(record?.values.get('toString')).toBe('text')
    expect('polluted' in {}).toBe(false)
  })

  test('offers no path that leaves the folder of the attachments', async () => {
    const names = ['../../etc/passwd', '/etc/passwd', 'a\\b.txt', '..']
    const attachments = names.map((file_name, id) => ({ id: id + 1, file_name, content_url: `https://x/${file_name}` }))
    const comments = [{ author_id: 5, plain_body: 'See', attachments }]
    const [record] = await readAll(zendesk, written({ 'tickets.json': ticket({ comments }) }))
    const paths = record?.comments.flatMap(({ files }) => files.flatMap((file) => file.paths)) ?? []
    expect(paths.filter((path) => /^\/|\\|(^|\/)\.\.(\/|$)/.test(path))).toEqual([])
  })
})

describe('an export that cannot be read', () => {
  test.each([
    [
      'a ticket twice',
      `${ticket()}\n${ticket()}`,
      'tickets.json, line 2',
      'id',
      /ticket 1 is already in tickets.json, line 1/,
    ],
    ['a ticket without id', `${ticket()}\n${ticket({ id: null })}`, 'tickets.json, line 2', 'id', /has no id/],
    [
      'Latin-1',
      Buffer.from(`${ticket()}\n${ticket({ id: 2, subject: 'Õues' })}`, 'latin1'),
      'tickets.json, line 2',
      undefined,
      /not UTF-8/,
    ],
    ['UTF-16', Buffer.from(`\ufeff${ticket()}`, 'utf16le'), 'tickets.json, line 1', undefined, /save it as UTF-8/],
    ['an archive', Buffer.from('PK\u0003\u0004rest'), 'tickets.json, line 1', undefined, /unpack it first/],
    ['no JSON', 'name;phone\n1;Tap\n', 'tickets.json, line 1', undefined, /not a JSON export/],
    ['a missing comma', `[${ticket()} ${ticket({ id: 2 })}]`, 'tickets.json, line 1', undefined, /not valid JSON/],
    ['a comma too many', `{"tickets":[${ticket()},\n]}`, 'tickets.json, line 2', undefined, /not valid JSON/],
    [
      'a damaged object',
      `${ticket()}\n{"id": 2, "subject": nope}\n`,
      'tickets.json, line 2',
      undefined,
      /not valid JSON/,
    ],
    [
      'a damaged end',
      `{"tickets":[${ticket()}], "count": }`,
      'tickets.json, line 1',
      undefined,
      /not valid JSON between/,
    ],
    ['users only', '[{"id":1,"name":"A","email":"a@example.ee"}]', /tickets.json$/, undefined, /no tickets were found/],
    ['nothing', '', 'tickets.json, line 1', undefined, /empty/],
    ['another list', '[1, 2]', 'tickets.json, line 1', undefined, /more than objects/],
    [
      'deep nesting',
      `${ticket()}\n{"id":2,"a":${'['.repeat(100)}`,
      'tickets.json, line 2',
      undefined,
      /more than 64 levels/,
    ],
    [
      'a million values',
      `{"id":2,"a":[${'0,'.repeat(1_000_001)}0]}`,
      'tickets.json, line 1',
      undefined,
      /more than 1000000 values/,
    ],
  ])('is refused with its place: %s', async (_, content, place, column, message) => {
    const [problem, ...others] = await problemsOf(zendesk, written({ 'tickets.json': content }))
    expect(problem).toMatchObject({
      place: typeof place === 'string' ? place : expect.stringMatching(place),
      message: expect.stringMatching(message),
    })
    expect(problem?.column).toBe(column)
    expect(others).toEqual([])
  })

  test('names a file that does not exist', async () => {
    expect(await problemsOf(zendesk, ['/nowhere/tickets.json'])).toMatchObject([{ message: 'the file does not exist' }])
  })

  test('names comments without a ticket, and comments of a ticket that is not there', async () => {
    const comments = '[{"id":1,"ticket_id":7,"body":"A"},\n{"id":2,"ticket_id":null,"body":"B"}]'
    const inputs = written({ 'tickets.json': ticket(), 'comments.json': comments })
    expect(await problemsOf(zendesk, inputs)).toMatchObject([{ place: 'comments.json, line 2', column: 'ticket_id' }])
    const orphan = written({ 'tickets.json': ticket(), 'comments.json': '[{"id":1,"ticket_id":7,"body":"A"}]' })
    expect(await problemsOf(zendesk, orphan)).toMatchObject([
      { message: expect.stringContaining('ticket 7, which is not in') },
    ])
  })
})
