import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SourceRecord } from '../../source.ts'
import { countsOf, problemsOf, readAll, written } from '../../testing/read-all.ts'
import { rt } from './index.ts'

const golden = (name: string) => join(import.meta.dirname, 'testing/golden', name)
const counts = JSON.parse(readFileSync(golden('counts.json'), 'utf8')) as Record<
  'tickets' | 'replies' | 'internal' | 'merged' | 'outgoing' | 'changes' | 'files' | 'customValues',
  number
>
const REPLIES = ['tickets.json', 'users.json'].map(golden)

const linesOf = (records: readonly SourceRecord[], column: string) =>
  records.flatMap(({ values }) => values.get(column)?.split('\n') ?? [])
const itemsOf = (records: readonly SourceRecord[], column: string) =>
  records.flatMap(({ values }) => values.get(column)?.split(', ') ?? [])

describe('replies of a real RT', () => {
  test('have as many of everything as its database', async () => {
    const records = await readAll(rt, REPLIES)
    // The first message of a merged ticket is a comment of the other.
    const comments = counts.replies + counts.internal + counts.merged
    expect(countsOf(records)).toEqual({ records: counts.tickets, comments, files: counts.files })
    const texts = records.flatMap((record) => record.comments.map(({ text }) => text))
    expect(texts.filter((text) => text.startsWith('[Internal] '))).toHaveLength(counts.internal)
    expect(linesOf(records, 'Changes')).toHaveLength(counts.changes)
    expect(linesOf(records, 'Outgoing mail')).toHaveLength(counts.outgoing)
    expect(itemsOf(records, 'Merged tickets')).toHaveLength(counts.merged)
    expect(['Asukoht', 'Seadmed'].flatMap((column) => itemsOf(records, column))).toHaveLength(counts.customValues)
  })

  test('become records with every field', async () => {
    const [first, second, , door] = await readAll(rt, REPLIES)
    expect(Object.fromEntries(first?.values ?? [])).toMatchObject({
      'External id': 'rt-1',
      id: '1',
      Subject: 'Kütte ei tööta',
      Content: expect.stringMatching(
        /^Küte ei tööta\n\nKorteris 12 on 14\s°C\.\nPalun tulge!\n\n \* radiaator 1\n \* radiaator 2$/,
      ),
      Status: 'resolved',
      Priority: 'Medium',
      'Priority number': '80',
      Queue: 'Hooldus – Maja A',
      Requestor: 'Kati Kõiv',
      'Requestor email': 'kati@example.org',
      'Owner email': 'jaan.tamm@example.com',
      'Merged tickets': '3',
      Asukoht: 'Korter 12',
    })
    expect(first?.values.get('Status changed')).toBe(first?.values.get('Resolved'))
    const changes = first?.values
      .get('Changes')
      ?.replaceAll(/^\d{4}\S+ /gm, '')
      .split('\n')
    expect(changes).toContain('The RT System itself: Status: new → open')
    expect(changes).toContain('Jaan Tamm: Owner: Nobody in particular → Jaan Tamm')
    expect(changes).toContain('Jaan Tamm: Asukoht: (none) → Korter 12')
    expect(changes).toContain('Jaan Tamm: Link added: MergedInto ticket 1')
    expect(Object.fromEntries(second?.values ?? [])).toMatchObject({
      Subject: 'Radiaator lekib 💧 "2. korrus"',
      Content: expect.stringMatching(/^Põrandal on vesi\.\r?\n\r?\n=HYPERLINK\("x"\)$/),
      Status: 'stalled',
      'Cc email': 'anu.saar@example.org, naaber@example.org',
      'AdminCc email': 'mari@example.com',
      Creator: 'Enoch Root',
      Due: '2026-12-01T10:00:00Z',
      TimeWorked: '25 minutes',
      TimeEstimated: '90 minutes',
      Seadmed: 'Radiaator R-2, Pump; P-1',
    })
    expect(second?.values.has('Resolved')).toBe(false)
    expect(door?.values.get('Links')).toBe('depends-on ticket 2')
    expect(door?.values.has('Owner')).toBe(false)
  })

  test('keep messages in order, with authors and marks', async () => {
    const [first, second] = await readAll(rt, REPLIES)
    expect(first?.comments.map(({ text, author }) => [author?.name, text])).toEqual([
      ['Jaan Tamm', 'Tere!\n\nTulen homme kell 9.\nJaan'],
      ['Jaan Tamm', '[Internal] Ventiil kinni roostes. Võtmed majahoidja käes.'],
      ['Enoch Root', 'Ticket 3 was merged into this one: Kütte kordus\n\nIkka külm.'],
      ['Jaan Tamm', '[Internal] Sama mis 1.'],
    ])
    expect(first?.comments[0]?.author?.email).toBe('jaan.tamm@example.com')
    expect(second?.comments.map(({ text }) => text)).toEqual(['Ootame tihendit.\n\nMari & Co'])
  })

  test('read texts of every encoding, and the plain one of two alternatives', async () => {
    const records = await readAll(rt, REPLIES)
    expect(records[3]?.values.get('Content')).toBe('Välisuks jääb lahti.\n> tsitaat')
    expect(records[4]?.values.get('Content')).toBe('Õues on pime, lamp põles läbi.')
    expect(records[4]?.values.get('Subject')).toBe('(No subject)')
  })

  test('contain their files', async () => {
    await using source = await rt.open(REPLIES)
    const files: [string, string | undefined, string][] = []
    for await (const { files: ofTicket, comments } of source.records()) {
      for (const { name, contentType, read } of [...ofTicket, ...comments.flatMap((comment) => comment.files)]) {
        files.push([
          name,
          contentType,
          Buffer.from((await read?.()) ?? [])
            .toString('latin1')
            .slice(0, 12),
        ])
      }
    }
    expect(files).toEqual([
      ['mõõt.png', 'image/png', '\x89PNG\r\n\x1a\n\0\0\0\r'],
      // RT itself loses the letter of a file that came through its REST interface.
      ['m\ufffdrkmed.txt', 'text/plain', 'Ventiil DN15'],
      ['untitled-41.png', 'image/png', '\x89PNG\r\n\x1a\n\0\0\0\r'],
    ])
  })

  test('give the same records twice', async () => {
    await using source = await rt.open(REPLIES)
    const read = async () => {
      const records: unknown[] = []
      for await (const { values, comments } of source.records()) {
        records.push(
          [...values],
          comments.map(({ text }) => text),
        )
      }
      return records
    }
    expect(await read()).toEqual(await read())
  })

  test('have a usual place for every column except custom fields', async () => {
    const records = [...(await readAll(rt, REPLIES)), ...(await readAll(rt, [golden('results.tsv')]))]
    const columns = new Set(records.flatMap(({ values }) => [...values.keys()]))
    const unknown = [...columns].filter((column) => !(column in (rt.usual?.columns ?? {})))
    expect(unknown).toEqual(['Asukoht', 'Seadmed'])
    for (const { values } of records) {
      expect(rt.usual?.states).toHaveProperty(values.get('Status') ?? '')
      expect(rt.usual?.priorities).toHaveProperty(values.get('Priority') ?? '')
    }
  })
})

describe('the results of a search in a real RT', () => {
  test('have the same tickets under the same keys', async () => {
    const results = await readAll(rt, [golden('results.tsv')])
    const replies = await readAll(rt, REPLIES)
    expect(results).toHaveLength(counts.tickets)
    const columns = ['External id', 'Subject', 'Status', 'Priority', 'Queue', 'Asukoht', 'TimeWorked']
    for (const column of columns) {
      const valuesOf = (records: readonly SourceRecord[]) => records.map(({ values }) => values.get(column))
      expect(valuesOf(results), column).toEqual(valuesOf(replies))
    }
    const [first] = results
    expect(`${first?.values.get('Created')?.replace(' ', 'T')}Z`).toBe(replies[0]?.values.get('Created'))
    expect(first?.values.get('Requestor email')).toBe('kati@example.org')
    expect(first?.values.get('Owner without address')).toBe('jaan (Jaan Tamm)')
    expect(results[2]?.values.has('Owner without address')).toBe(false)
    expect(first?.values.has('Due')).toBe(false)
  })

  test('name rows with a wrong number of cells, without a number, and twice', async () => {
    const [path = ''] = written({ 'results.tsv': 'id\tSubject\n1\t"A\n2\n\nx\tB\n1\tC\n' })
    expect(await problemsOf(rt, [path])).toEqual([
      { place: 'row 3', message: 'has 1 of 2 cells; export the search again' },
      { place: 'row 5', column: 'id', message: 'x is not the number of a ticket' },
      { place: 'row 6', column: 'id', message: 'ticket 1 is in row 2 too; remove one of the rows' },
    ])
  })

  test('may have any characters in their cells, and an empty one at the end', async () => {
    const [path = ''] = written({ 'results.tsv': '\ufeffid\tSubject\tQueueName\r\n1\t =1+1 "x\t\r\n' })
    const [record] = await readAll(rt, [path])
    expect(record?.values.get('Subject')).toBe('=1+1 "x')
    expect(record?.values.has('Queue')).toBe(false)
  })

  test('keep a comma in a name', async () => {
    const [path = ''] = written({
      'results.tsv': 'id\tRequestors\n1\tTamm, Jaan <jaan@example.org>, <anu@example.org>\n',
    })
    const [record] = await readAll(rt, [path])
    expect(record?.values.get('Requestor')).toBe('Tamm, Jaan')
    expect(record?.values.get('Cc email')).toBe('anu@example.org')
  })

  test('are refused without the column id, and beside replies', async () => {
    const [path = ''] = written({ 'results.tsv': 'Subject\nA\n' })
    expect((await problemsOf(rt, [path]))[0]?.message).toContain('results of a search with the column id')
    expect((await problemsOf(rt, [path, ...REPLIES]))[0]?.message).toContain('give one of them')
  })
})

describe('replies with mistakes', () => {
  const self = (type: string, id: number) => ({ id, _hyperlinks: [{ ref: 'self', type, id }] })
  const ticket = (fields: object) => ({
    ...self('ticket', 1),
    Subject: 'A',
    Status: 'new',
    LastUpdated: 'x',
    ...fields,
  })
  const list = (...items: object[]) => ({ items, page: 1, per_page: 100, count: items.length, total: items.length })
  const transaction = (fields: object) => ({ type: 'transaction', id: '5', ObjectId: '1', Type: 'Create', ...fields })
  const part = (fields: object) => ({
    ...self('attachment', 9),
    TransactionId: { id: '5' },
    ContentType: 'text/plain',
    ...fields,
  })
  const whole = [ticket({}), list(transaction({})), part({ Content: 'SGk=' })]
  const problems = async (...replies: readonly unknown[]) => {
    const text = replies.map((reply) => (typeof reply === 'string' ? reply : JSON.stringify(reply))).join('\n')
    const found = await problemsOf(rt, written({ 'tickets.json': text }))
    return found.map(({ place, column, message }) => [place, column, message].filter(Boolean).join(': '))
  }

  test.each([
    ['a ticket without its history', [ticket({}), ...whole.slice(2)], /^ticket 1: has no history in the export/],
    [
      'a history without its ticket',
      whole.slice(1),
      /^tickets\.json, line 1: belongs to ticket 1, but the export does not contain it/,
    ],
    [
      'messages without their texts',
      whole.slice(0, 2),
      /^the export: contains no attachment, so that all texts are missing/,
    ],
    [
      'an attachment that is missing',
      [...whole, list({ type: 'attachment', id: '77' })],
      /^tickets\.json, line 4: lists attachment 77/,
    ],
    [
      'a ticket that is missing',
      [...whole, list({ type: 'ticket', id: '2' })],
      /^tickets\.json, line 4: lists ticket 2/,
    ],
    [
      'a page that is missing',
      [ticket({}), { ...list(transaction({})), total: 101 }, part({})],
      /^tickets\.json, line 2: is not the last page of its list, but page 2 does not follow/,
    ],
    [
      'a last page that is missing',
      [...whole, { ...list(...Array(2).fill(transaction({}))), total: null, per_page: 2 }],
      /^tickets\.json, line 4: is not the last page/,
    ],
    [
      'a transaction without its ticket',
      [...whole, list(transaction({ ObjectId: undefined }))],
      /^tickets\.json, line 4: items\[0\]\.ObjectId: is missing; export histories with fields=ObjectId/,
    ],
    [
      'a ticket that changed between two downloads',
      [...whole, ticket({ LastUpdated: 'y' })],
      /^ticket 1: is in the export twice/,
    ],
    [
      'a wrong token',
      [{ message: 'Unauthorized' }],
      /^tickets\.json, line 1: is no ticket, .*has message \(Unauthorized\)/,
    ],
    [
      'a list of something else',
      [...whole, list({ type: 'asset', id: '1' })],
      /^tickets\.json, line 4: items\[0\]\.type: asset is not known/,
    ],
    ['a page of the web server', ['<html>502</html>'], /^tickets\.json, line 1: the file is not a JSON export/],
    [
      'a field of another form',
      [ticket({ Status: {} }), ...whole.slice(1)],
      /^ticket 1: Status: is an object, but must be text/,
    ],
    [
      'a file that is not in base64',
      [...whole.slice(0, 2), part({ Content: 'ö' })],
      /^attachment 9: Content: is not in base64/,
    ],
  ])('such as %s are refused', async (_name, replies, message) => {
    expect(await problems(...replies)).toContainEqual(expect.stringMatching(message))
  })

  test('such as parts that contain each other end', async () => {
    const loop = { ContentType: 'multipart/alternative', Parent: { id: '9' }, id: 10 }
    const text = [
      ...whole.slice(0, 2),
      part({ Content: 'SGk=', Parent: { id: '10' } }),
      { ...part(loop), _hyperlinks: self('attachment', 10)._hyperlinks },
    ]
    const [record] = await readAll(rt, written({ 'tickets.json': text.map((reply) => JSON.stringify(reply)).join('') }))
    expect(record?.values.get('Content')).toBe('Hi')
  })

  test('such as one list for several tickets are none', async () => {
    const other = transaction({
      id: '6',
      ObjectId: '2',
      Type: 'Status',
      Field: 'Status',
      OldValue: 'new',
      NewValue: 'open',
    })
    const text = [ticket({}), ticket({ ...self('ticket', 2) }), list(transaction({}), other), part({ Content: 'SGk=' })]
    const records = await readAll(
      rt,
      written({ 'tickets.json': text.map((reply) => JSON.stringify(reply)).join('\n') }),
    )
    expect(records.map(({ values }) => [values.get('Content'), values.get('Changes')])).toEqual([
      ['Hi', undefined],
      [undefined, 'Status: new → open'],
    ])
  })

  test('such as a reply without text are accounted for', async () => {
    const reply = transaction({ id: '6', Type: 'Correspond', Creator: { id: 'mari' }, Data: 'Re: A' })
    const text = [...whole.slice(0, 1), list(transaction({}), reply), ...whole.slice(2)]
    const [record] = await readAll(rt, written({ 'tickets.json': text.map((item) => JSON.stringify(item)).join('\n') }))
    expect(record?.comments).toEqual([])
    expect(record?.values.get('Changes')).toBe('mari: Correspond: Re: A')
  })

  test('such as names that every object has are text like any other', async () => {
    const strange = part({ ContentType: 'constructor', Filename: 'toString', Content: 'SGk=' })
    const texts = [ticket({ CustomFields: [{ id: '__proto__', name: '__proto__', values: ['x'] }] }), whole[1], strange]
    const [record] = await readAll(
      rt,
      written({ 'tickets.json': texts.map((item) => JSON.stringify(item)).join('\n') }),
    )
    expect(record?.values.get('__proto__')).toBe('x')
    expect(record?.files.map(({ name }) => name)).toEqual(['toString'])
    const [row] = await readAll(rt, written({ 'results.tsv': 'id\tconstructor\n1\tx\n' }))
    expect(row?.values.get('constructor')).toBe('x')
  })

  test('such as tickets that were merged into each other end', async () => {
    const merge = (from: string, into: string, id: string) =>
      transaction({
        id,
        ObjectId: from,
        Type: 'AddLink',
        Field: 'MergedInto',
        NewValue: `fsck.com-rt://example/ticket/${into}`,
      })
    expect(await problems(...whole, list(merge('2', '3', '6'), merge('3', '2', '7')))).toContainEqual(
      expect.stringMatching(/belongs to ticket \d, but the export does not contain it/),
    )
  })
})
