import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SourceRecord } from '../../source.ts'
import { countsOf, problemsOf, readAll, recordsOf, written } from '../../testing/read-all.ts'
import { plainText } from './content.ts'
import { glpi } from './index.ts'

const CASES = join(import.meta.dirname, 'cases')
const DUMP = readdirSync(CASES)
  .filter((name) => name.endsWith('.json'))
  .map((name) => join(CASES, name))

const raw = (type: string): { itemtype?: string; items_id?: number; tickets_id?: number; id: number }[] =>
  JSON.parse(readFileSync(join(CASES, `${type}.json`), 'utf8'))

function ticketOf(records: readonly SourceRecord[], id: string): SourceRecord {
  const found = records.find(({ values }) => (values.get('ID') ?? values.get('id')) === id)
  if (!found) throw new Error(`no ticket ${id}`)
  return found
}

describe.each(['en', 'fr', 'de'])('the CSV export of GLPI in %s', (language) => {
  const inputs = [`tickets-${language}.csv`, 'users-en.csv'].map((name) => join(CASES, name))

  test('contains as many tickets as its raw text', async () => {
    const text = readFileSync(inputs[0] ?? '', 'latin1')
    const records = await readAll(glpi, inputs)
    expect(records.length).toBe(text.match(/\d\d:\d\d";"\d{2,4}-\d\d-\d{2,4} \d\d:\d\d"/g)?.length)
    expect(records.map(({ values }) => values.get('ID'))).toEqual(['1035', '5732943', '36'])
  })

  test('has a target for every column', async () => {
    const columns = (await readAll(glpi, inputs)).flatMap(({ values }) => [...values.keys()])
    expect([...new Set(columns)].filter((column) => !(column in (glpi.defaultMapping?.columns ?? {})))).toEqual([])
  })

  test('knows its states and priorities', async () => {
    const { columns = {}, states = {}, priorities = {} } = glpi.defaultMapping ?? {}
    const records = await readAll(glpi, inputs)
    const values = (target: string) =>
      records.map((record) => [...record.values].find(([column]) => columns[column] === target)?.[1] ?? '')
    expect(values('state').map((value) => states[value])).toEqual(['closed', 'new', 'on_hold'])
    expect(values('priority').map((value) => priorities[value])).toEqual([2, 3, 1])
  })

  test('says if it had to guess the encoding', async () => {
    await using source = await glpi.open(inputs)
    const notes = language === 'de' ? [{ code: 'encoding-assumed', subject: 'windows-1252' }] : []
    expect(source).toMatchObject({ notes })
  })

  test('finds addresses of people, and keeps the names of others', async () => {
    const records = await readAll(glpi, inputs)
    expect(Object.fromEntries(ticketOf(records, '1035').values)).toMatchObject({
      Requester: 'Maasikas Mari',
      'Requester email': 'mari.maasikas@example.ee',
      'Technician email': 'jaan.oun@example.ee',
      'Further technicians': 'Põld Peeter',
      'Observers without address': 'Kask Kati',
    })
    expect(ticketOf(records, '36').values.get('Further requesters')).toBe('Kask Kati')
  })
})

describe('texts of GLPI', () => {
  test.each([
    ['<p>Cold &amp; dark</p>', 'Cold & dark'],
    ['&lt;p&gt;Cold &amp;amp; dark&lt;/p&gt;', 'Cold & dark'],
    ['&#60;p&#62;Cold &#38;#38; dark&#60;/p&#62;', 'Cold & dark'],
    ['&amp;lt;p&amp;gt;Cold&amp;lt;/p&amp;gt;', 'Cold'],
    ['<p>Write &lt;b&gt; for bold</p>', 'Write <b> for bold'],
    ['5 &#60; 6 &#38; 7', '5 < 6 & 7'],
    ['&quot;A&quot; &AMP; &apos;b&apos;&nbsp;c &gt; d &lt; e &euro;', '"A" & \'b\'\u00a0c > d < e &euro;'],
    ['&#x41;&#65; &#X4A;', 'AA J'],
    ['plain', 'plain'],
    ['&#0;&#x110000;&#xd800; stays', '&#0;&#x110000;&#xd800; stays'],
  ])('%s', (stored, shown) => {
    expect(plainText(stored)).toBe(shown)
  })
})

describe('files of the REST API of GLPI', () => {
  test('contain as many tickets, comments and files as their raw text', async () => {
    const ids = new Set(raw('Ticket').map(({ id }) => id))
    const items = [...raw('ITILFollowup'), ...raw('TicketTask'), ...raw('ITILSolution')]
    const ofTickets = items.filter(({ itemtype, items_id, tickets_id }) => {
      return (itemtype ?? 'Ticket') === 'Ticket' && ids.has(items_id ?? tickets_id ?? 0)
    })
    expect(countsOf(await readAll(glpi, DUMP))).toEqual({
      records: readFileSync(join(CASES, 'Ticket.json'), 'utf8').match(/"urgency"/g)?.length,
      comments: ofTickets.length,
      files: raw('Document_Item').length,
    })
  })

  test('give every field of a ticket a column', async () => {
    const { values, files } = ticketOf(await readAll(glpi, DUMP), '35')
    expect(Object.fromEntries(values)).toMatchObject({
      name: 'Radiator is cold',
      content: expect.stringMatching(/^The radiator is cold & leaks\.\s+Please come after 17:00\.$/),
      status: '6',
      priority: '4',
      Urgency: 'High',
      Type: 'Incident',
      Entity: 'Root entity',
      itilcategories_id: 'Heating > Radiators',
      locations_id: 'Building B > B-12',
      date: '2026-04-03 14:05:00',
      solution: 'Valve replaced',
      Requester: 'Mari Maasikas',
      'Requester email': 'mari.maasikas@example.ee',
      'Requester phone': '+372 5555 0101',
      'Technician email': 'jaan.oun@example.ee',
      'Observers email': 'board@example.ee',
      'Internal comments': '1',
    })
    expect(files).toMatchObject([{ name: 'radiator õhtul.jpg', contentType: 'image/jpeg' }])
    expect(files[0]?.paths[0]).toBe('JPG/ab/cdef0123.JPG')
  })

  test('order followups, tasks and solutions by time', async () => {
    const { comments } = ticketOf(await readAll(glpi, DUMP), '35')
    expect(comments.map(({ text }) => text)).toEqual([
      'We will look at it tomorrow.',
      '[Internal] The tenant has a dog.',
      '[Solution] Turned up',
      '[Task] Replace the valve',
      '[Solution] Valve replaced',
    ])
    expect(comments[0]).toMatchObject({ author: { email: 'jaan.oun@example.ee' }, files: [{ name: 'invoice.pdf' }] })
  })

  test('keep people and documents of which they have only the id', async () => {
    const { comments, files } = ticketOf(await readAll(glpi, DUMP), '37')
    expect(comments[0]?.author?.name).toBe('GLPI user 99')
    expect(files).toMatchObject([{ name: 'document 14' }])
  })

  test('keep whoever typed a ticket in apart from its requesters', async () => {
    const { values } = ticketOf(await readAll(glpi, DUMP), '36')
    expect(values.get('Requester')).toBe('Mari Maasikas')
    expect(values.get('Further requesters')).toBe('desk')
    expect(values.get('Writer')).toBe('desk')
    expect(values.get('Technician without address')).toBe('desk')
    expect(values.get('name')).toBe('Lift & bell')
  })

  test('take the last solution that nobody refused', async () => {
    const solution = (status: number, day: number, content: string) => ({
      ...{ itemtype: 'Ticket', items_id: 1, solutiontypes_id: 0, status, content, links: [{ rel: 'Entity' }] },
      date_creation: `2026-04-0${day} 08:00:00`,
    })
    const solutions = [solution(3, 1, 'Turned up'), solution(2, 2, 'Valve replaced'), solution(4, 3, 'Is warm')]
    const inputs = written({
      'Ticket.json': '[{"id":1,"name":"Tap","urgency":3}]',
      'ITILSolution.json': JSON.stringify(solutions),
    })
    const [record] = await readAll(glpi, inputs)
    expect(record?.values.get('solution')).toBe('Valve replaced')
    // Addresses of the API say nothing about a ticket.
    expect(JSON.stringify([...(record?.values ?? [])])).not.toContain('Entity')
  })

  test('say how many items belong to tickets that are not there', async () => {
    await using source = await glpi.open(DUMP)
    expect(source).toMatchObject({
      notes: [{ count: 1, text: expect.stringMatching(/not in the files: 1 \(of ticket 900\)\.$/) }],
    })
    expect(await recordsOf(source)).toEqual(await recordsOf(source))
  })

  test('may be in one file', async () => {
    const lists = DUMP.map((path) => `"${/(\w+)\.json$/.exec(path)?.[1]}": ${readFileSync(path, 'utf8')}`)
    expect(await readAll(glpi, written({ 'dump.json': `{${lists.join()}}` }))).toEqual(await readAll(glpi, DUMP))
  })

  test('may name people instead of their ids', async () => {
    const tickets = '[{"id":1,"name":"Tap","urgency":3,"users_id_recipient":"mari"}]'
    const inputs = [...written({ 'Ticket.json': tickets }), ...DUMP.filter((path) => path.includes('User'))]
    const [record] = await readAll(glpi, inputs)
    expect(record?.values.get('Requester email')).toBe('mari.maasikas@example.ee')
  })
})

describe('an export that cannot be read', () => {
  const ticket = '{"id":1,"name":"Tap","urgency":3}'
  test.each([
    ['a ragged row', { 'a.csv': 'ID;Title;Status\n1;Tap;New\n2;Tap\n' }, 'row 3', 'Status', /2 of 3 cells/],
    ['a ticket twice', { 'a.csv': 'ID;Title\n1 000;Tap\n1000;Tap\n' }, 'row 3', 'ID', /1000 is already in row 2/],
    ['no ID', { 'a.csv': 'Title;Status\nTap;New\n' }, 'row 2', 'ID', /add the column ID/],
    ['no tickets', { 'a.csv': 'ID;Title\n' }, expect.stringMatching(/a\.csv$/), undefined, /no tickets were found/],
    ['both formats', { 'a.csv': 'ID;Title\n1;Tap\n', 'b.json': `[${ticket}]` }, 'GLPI', undefined, /CSV and JSON/],
    [
      'a ticket twice',
      { 'b.json': `[${ticket},\n${ticket}]` },
      'b.json, line 2',
      'id',
      /ticket 1 is already in b.json, line 1/,
    ],
    [
      'a search',
      { 'b.json': '{"totalcount":1,"count":1,"data":[{"1":"Tap"}]}' },
      'b.json, line 1',
      undefined,
      /export \/Ticket/,
    ],
    ['another item', { 'b.json': '[{"id":1,"serial":"x"}]' }, 'b.json, line 1', undefined, /is none of Ticket/],
    [
      'followups only',
      { 'b.json': '[{"items_id":1,"itemtype":"Ticket","content":"x"}]' },
      expect.any(String),
      undefined,
      /no tickets/,
    ],
    [
      'a title for a ticket',
      { 'a.json': `[${ticket}]`, 'b.json': '[{"tickets_id":"Tap","content":"x","actiontime":1}]' },
      'b.json, line 1',
      'tickets_id',
      /without expand_dropdowns/,
    ],
    ['half a file', { 'b.json': `[${ticket}` }, 'b.json, line 1', undefined, /ends in the middle/],
  ])('is refused with its place: %s', async (_, files, place, column, message) => {
    const [problem, ...others] = await problemsOf(glpi, written(files))
    expect(problem).toMatchObject({ place, message: expect.stringMatching(message) })
    expect(problem?.column).toBe(column)
    expect(others).toEqual([])
  })
})
