import { describe, expect, test } from 'vitest'
import { problemsOf, readAll, written } from '../../testing/read-all.ts'
import { rt } from './index.ts'

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

  test('such as a change of a ticket that was merged do not change the other', async () => {
    const merge = { Type: 'AddLink', Field: 'MergedInto', NewValue: 'fsck.com-rt://example/ticket/1' }
    const status = {
      ObjectId: '2',
      Type: 'Status',
      Field: 'Status',
      OldValue: 'new',
      NewValue: 'open',
      Created: '2026-01-02',
    }
    const history = list(
      transaction({}),
      transaction({ id: '6', ObjectId: '2', ...merge }),
      transaction({ id: '7', ...status }),
    )
    const text = [ticket({}), history, ...whole.slice(2)].map((item) => JSON.stringify(item)).join('\n')
    const [record] = await readAll(rt, written({ 'tickets.json': text }))
    expect(record?.values.get('Changes')).toContain('2026-01-02: ticket 2: Status: new → open')
    expect(record?.values.has('Status changed')).toBe(false)
  })

  test('such as none give every field the name that pages of RT show', async () => {
    const times = { TimeWorked: '15', TimeEstimated: '20', TimeLeft: '5', Told: '2026-01-05T10:00:00Z' }
    const person = { id: 'mari', type: 'user' }
    const about = { ...times, InitialPriority: '10', FinalPriority: '80', Priority: '60', LastUpdatedBy: person }
    const dates = { Starts: '2026-01-01T10:00:00Z', Started: '2026-01-02T10:00:00Z', Due: '2026-01-03T10:00:00Z' }
    const text = [ticket({ ...about, ...dates, LastUpdated: '2026-01-04T10:00:00Z' }), ...whole.slice(1)]
    const [record] = await readAll(rt, written({ 'tickets.json': text.map((item) => JSON.stringify(item)).join('\n') }))
    expect(Object.fromEntries(record?.values ?? [])).toMatchObject({
      ...{ 'Time worked': '15 minutes', 'Time estimated': '20 minutes', 'Time left': '5 minutes' },
      ...{ 'Initial priority': '10', 'Final priority': '80', Priority: 'Medium', 'Priority number': '60' },
      ...{ Starts: dates.Starts, Started: dates.Started, Due: dates.Due, 'Last contact': times.Told },
      ...{ 'Last updated': '2026-01-04T10:00:00Z', 'Last updated by': 'mari' },
    })
  })

  test('such as a reply without text are accounted for', async () => {
    const reply = transaction({ id: '6', Type: 'Correspond', Creator: { id: 'mari' }, Data: 'Re: A' })
    const change = transaction({ id: '7', Type: 'Set', Field: 'Told', Creator: { id: 'mari' } })
    const text = [...whole.slice(0, 1), list(transaction({}), reply, change), ...whole.slice(2)]
    const [record] = await readAll(rt, written({ 'tickets.json': text.map((item) => JSON.stringify(item)).join('\n') }))
    expect(record?.comments).toEqual([])
    expect(record?.values.get('Changes')).toMatch(/^mari: Correspond: Re: A\nmari: Told: /)
  })

  test('such as messages of other transactions are none', async () => {
    const forward = transaction({ id: '6', Type: 'Forward Ticket', Creator: { id: 'mari' } })
    const sent = { ...part({ Content: 'SGVsbG8=', TransactionId: { id: '6' } }), ...self('attachment', 10) }
    const text = [ticket({}), list(transaction({}), forward), ...whole.slice(2), sent]
    const [record] = await readAll(rt, written({ 'tickets.json': text.map((item) => JSON.stringify(item)).join('\n') }))
    expect(record?.comments).toMatchObject([{ text: 'Forward Ticket:\n\nHello', author: { name: 'mari' } }])
    expect(record?.values.has('Changes')).toBe(false)
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
