import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SourceRecord } from '../../source.ts'
import { countsOf, problemsOf, readAll, written } from '../../testing/read-all.ts'
import { readDate } from '../../text/dates.ts'
import { type Zone, zoneOf } from '../../text/zone.ts'
import { rt } from './index.ts'
import { type Part, readMessage } from './message.ts'

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
    expect(changes).toContain('Jaan Tamm: ticket 3: Link added: MergedInto ticket 1')
    expect(Object.fromEntries(second?.values ?? [])).toMatchObject({
      Subject: 'Radiaator lekib 💧 "2. korrus"',
      Content: expect.stringMatching(/^Põrandal on vesi\.\r?\n\r?\n=HYPERLINK\("x"\)$/),
      Status: 'stalled',
      'Cc email': 'anu.saar@example.org, naaber@example.org',
      'AdminCc email': 'mari@example.com',
      Creator: 'Enoch Root',
      Due: '2026-12-01T10:00:00Z',
      'Time worked': '25 minutes',
      'Time estimated': '90 minutes',
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
    const unknown = [...columns].filter((column) => !(column in (rt.defaultMapping?.columns ?? {})))
    expect(unknown).toEqual(['Asukoht', 'Seadmed'])
    for (const { values } of records) {
      expect(rt.defaultMapping?.states).toHaveProperty(values.get('Status') ?? '')
      expect(rt.defaultMapping?.priorities).toHaveProperty(values.get('Priority') ?? '')
    }
  })
})

describe('the results of a search in a real RT', () => {
  test('have the same tickets under the same keys', async () => {
    const results = await readAll(rt, [golden('results.tsv')])
    const replies = await readAll(rt, REPLIES)
    expect(results).toHaveLength(counts.tickets)
    const columns = ['External id', 'Subject', 'Status', 'Priority', 'Queue', 'Asukoht', 'Time worked']
    for (const column of columns) {
      const valuesOf = (records: readonly SourceRecord[]) => records.map(({ values }) => values.get(column))
      expect(valuesOf(results), column).toEqual(valuesOf(replies))
    }
    const [first] = results
    const created = readDate(first?.values.get('Created') ?? '', { order: 'dmy', zone: zoneOf('UTC') as Zone })
    expect(created?.ms).toBe(Date.parse(replies[0]?.values.get('Created') ?? ''))
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

describe('a mail', () => {
  const part = (id: number, parent: number, contentType: string, about: Partial<Part> = {}): Part => ({
    ...{ id: String(id), parent: String(parent), contentType, filename: undefined, subject: undefined },
    ...about,
  })
  /** Every part contains its own number. */
  const read = async (...parts: Part[]) => {
    const { subject, text, files } = await readMessage(parts, async (id) => Buffer.from(`<i>${id}</i>`))
    return { subject, text, files: files.map(({ name }) => name) }
  }

  test('says its texts, and of alternatives the plain one', async () => {
    const mixed = part(1, 0, 'multipart/mixed', { subject: 'Tap' })
    const [plain, html] = [part(3, 2, 'text/plain'), part(4, 2, 'text/html')]
    const both = [mixed, part(2, 1, 'multipart/alternative'), plain, html, part(5, 1, 'text/html')]
    expect(await read(...both)).toEqual({ subject: 'Tap', text: '<i>3</i>\n\n5', files: [] })
    const alone = [mixed, part(2, 1, 'multipart/alternative'), html]
    expect((await read(...alone)).text).toBe('4')
  })

  test('has files: those with a name, and those that are no text', async () => {
    const types = ['image/png', 'image/jpeg', 'image/gif', 'application/pdf', 'text/calendar', 'message/rfc822', 'x/y']
    const named = ['text/plain', 'text/html'].map((type, index) => part(index + 1, 0, type, { filename: `${type}!` }))
    const { text, files } = await read(...named, ...types.map((type, index) => part(index + 3, 0, type)))
    expect([text, files]).toEqual([
      '',
      [
        ...['text/plain!', 'text/html!', 'untitled-3.png', 'untitled-4.jpg', 'untitled-5.gif', 'untitled-6.pdf'],
        ...['untitled-7.ics', 'untitled-8.eml', 'untitled-9'],
      ],
    ])
  })

  test('that was forwarded is taken apart, and parts that contain each other end', async () => {
    const forwarded = [part(1, 0, 'message/rfc822'), part(2, 1, 'text/plain')]
    expect(await read(...forwarded)).toEqual({ subject: undefined, text: '<i>2</i>', files: [] })
    expect((await read(part(1, 2, 'text/plain'), part(2, 1, 'multipart/mixed'))).text).toBe('<i>1</i>')
  })
})
