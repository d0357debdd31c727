import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SourceRecord } from '../../source.ts'
import { countsOf, problemsOf, readAll, written } from '../../testing/read-all.ts'
import { redmine } from './index.ts'

const golden = (name: string) => join(import.meta.dirname, 'testing/golden', name)
const counts = JSON.parse(readFileSync(golden('counts.json'), 'utf8')) as Record<string, number>
const REPLIES = ['issues.json', 'users.json', 'time-entries.json', 'names.json'].map(golden)

const linesOf = (records: readonly SourceRecord[], column: string) =>
  records.flatMap(({ values }) => values.get(column)?.split('\n') ?? [])
const itemsOf = (records: readonly SourceRecord[], column: string) =>
  records.flatMap(({ values }) => values.get(column)?.split(', ') ?? [])

describe('replies of a real Redmine', () => {
  test('have as many of everything as its database', async () => {
    const records = await readAll(redmine, REPLIES)
    expect(countsOf(records)).toEqual({
      records: counts.issues,
      comments: counts.comments,
      files: counts.attachments,
    })
    const comments = records.flatMap((record) => record.comments)
    expect(comments.filter(({ text }) => text.startsWith('[Internal] '))).toHaveLength(counts.privateComments ?? 0)
    const inComments = comments.flatMap(({ files }) => files).length
    expect(inComments).toBe(counts.filesInComments)
    const changes = linesOf(records, 'Changes').filter((line) => /^\d{4}-\d\d-\d\dT\S+Z /.test(line))
    expect(changes.length + inComments).toBe(counts.changes)
    expect(itemsOf(records, 'Watcher email')).toHaveLength(counts.watchers ?? 0)
    expect(linesOf(records, 'Time entries')).toHaveLength(counts.timeEntries ?? 0)
    // Both issues of a relation mention it.
    expect(linesOf(records, 'Related issues')).toHaveLength(2 * (counts.relations ?? 0))
    const ofCustomFields = ['Korter', 'Süsteemid', 'Ohtlik'].flatMap((column) => itemsOf(records, column))
    expect(ofCustomFields).toHaveLength(counts.customValues ?? 0)
  })

  test('become records with every field', async () => {
    const [first] = await readAll(redmine, REPLIES)
    expect(first?.place).toBe('issue 1')
    expect(Object.fromEntries(first?.values ?? [])).toMatchObject({
      'External id': 'redmine-1',
      '#': '1',
      Subject: 'Küte ei tööta, "korter 12"',
      Description: 'Toas on 14 °C.\r\n\r\n* radiaator 1\r\n* radiaator 2\r\n\r\nLisatud.',
      Status: 'Closed',
      Priority: 'Immediate',
      Author: 'Kati Kõiv',
      'Author email': 'kati@example.org',
      Assignee: 'Jaan Tamm',
      'Assignee email': 'jaan.tamm@example.com',
      'Watcher email': 'mari@example.com, kati@example.org, jaan.tamm@example.com, admin@example.net',
      Project: 'Maja A – hooldus',
      Tracker: 'Bug',
      Category: 'Küte',
      'Target version': 'Talv 2026',
      'Due date': '2026-12-01',
      'Estimated time': '2.5 h',
      'Spent time': '1.25 h',
      '% Done': '100',
      'Related issues': 'precedes #2 (2 days)',
      'Time entries': expect.stringMatching(/^[\d-]+ Redmine Admin, Design, 1\.25 h, Ventiil vahetatud$/),
      Korter: '12a',
      Süsteemid: 'Küte, Vesi',
    })
    expect(first?.values.get('Status changed')).toBe(first?.values.get('Closed'))
    const changes = first?.values.get('Changes')?.replaceAll(/^\d{4}\S+ /gm, '')
    expect(changes).toContain('Jaan Tamm: Status: New → In Progress\nJaan Tamm: Assignee: (none) → Jaan Tamm\n')
    expect(changes).toContain('Jaan Tamm: Korter: 12 → 12a')
    expect(changes).toContain('Jaan Tamm: File added: mõõt.png')
    expect(changes).toContain('Redmine Admin: Relation added: precedes #2')
  })

  test('keep comments in order, with authors and files', async () => {
    const [first] = await readAll(redmine, REPLIES)
    expect(first?.comments).toMatchObject([
      {
        place: 'issue 1, journal 1',
        author: { name: 'Jaan Tamm', email: 'jaan.tamm@example.com' },
        files: [{ name: 'notes.txt' }],
      },
      { text: '[Internal] Võtmed majahoidja käes.' },
      { text: 'Tehtud 👍', isHtml: false, createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
    ])
    expect(first?.files.map(({ name }) => name)).toEqual(['mõõt.png', 'mõõt.png'])
  })

  test('find their files as downloaded, and in the folder of the server', async () => {
    const filesOf = ([first]: readonly SourceRecord[]) => [
      ...(first?.files ?? []),
      ...(first?.comments[0]?.files ?? []),
    ]
    const downloaded = filesOf(await readAll(redmine, REPLIES))
    expect(downloaded.map(({ paths }) => paths[0])).toEqual(['1', '3', '2'])
    for (const { paths } of downloaded) expect(existsSync(golden(join('files', paths[0] ?? '')))).toBe(true)
    const stored = filesOf(await readAll(redmine, [...REPLIES, golden('attachments.csv')]))
    for (const { paths } of stored) expect(existsSync(golden(join('stored', paths[0] ?? '')))).toBe(true)
  })

  test('without users keep names where addresses are not known', async () => {
    const [first] = await readAll(redmine, [golden('issues.json')])
    expect(first?.values.get('Assignee without address')).toBe('Jaan Tamm')
    expect(first?.values.has('Assignee email')).toBe(false)
    expect(first?.values.get('Author')).toBe('Kati Kõiv')
  })

  test('give the same records twice', async () => {
    await using source = await redmine.open(REPLIES)
    const read = async () => {
      const read: unknown[] = []
      for await (const { values, comments } of source.records()) read.push([...values], comments)
      return read
    }
    expect(await read()).toEqual(await read())
  })

  test('have a usual place for every column except custom fields', async () => {
    const records = [...(await readAll(redmine, REPLIES)), ...(await readAll(redmine, [golden('issues.csv')]))]
    const columns = new Set(records.flatMap(({ values }) => [...values.keys()]))
    const unknown = [...columns].filter((column) => !(column in (redmine.defaultMapping?.columns ?? {})))
    expect(unknown).toEqual(['Korter', 'Süsteemid', 'Ohtlik'])
  })
})

describe('the list of a real Redmine as CSV', () => {
  test('has the same issues under the same keys', async () => {
    const list = await readAll(redmine, [golden('issues.csv'), golden('users.json')])
    const replies = await readAll(redmine, REPLIES)
    expect(countsOf(list)).toEqual({ records: counts.issues, comments: 0, files: counts.attachments })
    for (const column of [
      'External id',
      '#',
      'Subject',
      'Status',
      'Priority',
      'Author',
      'Author email',
      'Assignee email',
      'Korter',
    ]) {
      const valuesOf = (records: readonly SourceRecord[]) => records.map(({ values }) => values.get(column))
      expect(valuesOf(list), column).toEqual(valuesOf(replies))
    }
    expect(list[0]?.values.get('Last notes')).toBe('Tehtud 👍')
    expect(list.map(({ values }) => values.get('Private'))).toEqual([undefined, undefined, 'Yes', undefined])
    expect(list.some(({ values }) => values.has('Total spent time'))).toBe(false)
  })

  test('finds a file by its name only if no other has it', async () => {
    const [first] = await readAll(redmine, [golden('issues.csv')])
    expect(first?.files).toMatchObject([
      { name: 'mõõt.png', paths: [] },
      { name: 'notes.txt', paths: ['notes.txt'] },
      { name: 'mõõt.png', paths: [] },
    ])
  })

  test.each([
    ['German', '#;Status;Thema;Autor;Zugewiesen an\n7;Neu;Tür klemmt;Kati Kõiv;Jaan Tamm\n'],
    ['Estonian', '#;Olek;Teema;Autor;Tegeleja\n7;Avatud;Uks ei sulgu;Kati Kõiv;Jaan Tamm\n'],
  ])('may have a %s header', async (_language, csv) => {
    const [record] = await readAll(redmine, [...written({ 'issues.csv': csv }), golden('users.json')])
    expect(record?.values.get('Subject')).toBeTypeOf('string')
    expect(record?.values.get('Assignee email')).toBe('jaan.tamm@example.com')
    expect(redmine.defaultMapping?.states?.[record?.values.get('Status') ?? '']).toBe('new')
  })

  test('names rows without a number, and numbers that come twice', async () => {
    const [path = ''] = written({ 'issues.csv': '#,Subject\n1,A\nx,B\n1,C\n' })
    expect(await problemsOf(redmine, [path])).toEqual([
      { place: 'row 3', column: '#', message: expect.stringContaining('x is not the number of an issue') },
      { place: 'row 4', column: '#', message: 'issue 1 is in row 2 too; remove one of the rows' },
    ])
  })
})
