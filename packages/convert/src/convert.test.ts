import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildZip } from '@plantroom/fpl/testing/zip-builder'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { analyzeSource, convertSource } from './convert.ts'
import type { SourceComment, SourceKind, SourceRecord } from './source.ts'
import { csv } from './sources/csv/index.ts'
import { converted, problemsOf, ticketsIn, writeTable } from './testing/converted.ts'

const MAPPING = {
  timeZone: 'UTC',
  dateOrder: 'dmy',
  columns: {},
  states: {},
  otherState: 'new',
  priorities: {},
} as const

describe('a table', () => {
  test('becomes requests with their fields', async () => {
    const { report, tickets, result } = await converted(
      temporaryFolder(),
      [
        [
          'ID',
          'Title',
          'Details',
          'Status',
          'Priority',
          'Reporter',
          'Phone',
          'Assigned To',
          'Room',
          'Tags',
          'Created',
          'Cost',
        ],
        [
          '7',
          'Cold',
          'Room 1',
          'In Progress',
          'High',
          'Mari <mari@example.ee>',
          '+372 55',
          'a@b.ee',
          'B-1',
          'heat; floor 1',
          '03.04.2026 14:05',
          '12',
        ],
        ['8', 'Hot', 'Room 2', 'Done', 'Low', 'Mari <mari@example.ee>', '+372 55', 'a@b.ee', '', '', '04.04.2026', ''],
      ],
      { timeZone: 'Europe/Tallinn' },
    )
    expect(report).toMatchObject({ valid: true, tickets: 2 })
    expect(tickets[0]).toEqual({
      externalId: '7',
      title: 'Cold',
      description: 'Room 1\n\nCost: 12',
      state: 'in_progress',
      priority: 2,
      reporter: { name: 'Mari', email: 'mari@example.ee', phone: '+372 55' },
      assignee: 'a@b.ee',
      unit: 'B-1',
      tags: ['heat', 'floor 1'],
      createdAt: '2026-04-03T11:05:00.000Z',
    })
    expect(result).toEqual({
      tickets: 2,
      comments: 0,
      attachments: 0,
      unplaced: [{ column: 'Cost', values: 1, became: 'part of the description', code: 'description' }],
    })
  })

  test('with values that exceed a field keeps them in a text, and the account says so', async () => {
    const long = 'x'.repeat(300)
    const { report, tickets, account } = await converted(
      temporaryFolder(),
      [
        ['Key', 'Title', 'Assignee', 'Unit', 'Number', 'Email'],
        ['1', long, 'Jaan', long, '007', 'nobody'],
        ['2', 'b', 'a@b.ee', 'c', '2', 'x@y.ee'],
      ],
      { columns: { Assignee: 'assignee', Number: 'number' } },
    )
    expect(report.valid).toBe(true)
    expect(tickets[0]?.title).toBe(`${'x'.repeat(254)}…`)
    expect(tickets[0]?.description).toBe(`Title: ${long}`)
    expect(tickets[0]?.notes).toBe(`Assignee: Jaan\nUnit: ${long}\nNumber: 007`)
    expect(tickets[0]?.reporter).toEqual({ name: 'nobody' })
    expect(account).toContain('row 2,Assignee,Jaan,"part of the notes, because it is no email"')
    expect(account).toContain(`row 2,Title,${long},"a shorter title, with the whole in the description"`)
  })

  test('without titles and ids gets both, the same every time', async () => {
    const rows = [
      ['Beschreibung', 'Ort'],
      ['\n Kalt\nsehr', 'A'],
      ['Warm', 'B'],
      ['Warm', 'B'],
    ]
    const first = await converted(temporaryFolder(), rows)
    expect(first.tickets.map(({ title }) => title)).toEqual(['Kalt', 'Warm', 'Warm'])
    expect(first.result.notes?.map(({ text }) => text)).toEqual([
      'Requests without an id: 3. Their ids were derived from title and creation time.',
      'Requests without a title: 3. They got the first line of their text, or their id.',
    ])
    const again = await converted(temporaryFolder(), rows)
    expect(again.tickets.map(({ externalId }) => externalId)).toEqual(first.tickets.map(({ externalId }) => externalId))
    expect(new Set(first.tickets.map(({ externalId }) => externalId)).size).toBe(3)
  })

  /** A source that yields an empty record so many times. */
  const repeated = (times: number): SourceKind => ({
    ...csv,
    open: async () => ({
      async *records() {
        for (let count = 0; count < times; count += 1) yield { place: 'r', values: new Map(), comments: [], files: [] }
      },
      async [Symbol.asyncDispose]() {},
    }),
  })
  const tooMany = 'the export: has more than 500000 requests, which do not fit into one package; split it into several'

  test('with more requests than a package holds is refused', async () => {
    expect(await problemsOf(analyzeSource(repeated(Number.POSITIVE_INFINITY), []))).toEqual([tooMany])
  })

  test.skipIf(!isCampaign)('of too many requests is refused also by a conversion', { timeout: 120_000 }, async () => {
    await repeat(1, async () => {
      const output = join(temporaryFolder(), 'a.fpl')
      const kind = repeated(Number.POSITIVE_INFINITY)
      expect(await problemsOf(convertSource({ kind, inputs: [], mapping: MAPPING, output }))).toEqual([tooMany])
    })
  })

  test('with the same row any number of times gets an id for each', async () => {
    const output = join(temporaryFolder(), 'a.fpl')
    // Compared with all before it, each row would take until the timeout.
    const { tickets } = await convertSource({ kind: repeated(30_000), inputs: [], mapping: MAPPING, output })
    expect(tickets).toBe(30_000)
    const [first, second, third] = (await ticketsIn(output)).map(({ externalId }) => externalId)
    expect([second, third]).toEqual([`${first}-2`, `${first}-3`])
  })

  test('whose dates fit both orders is refused with one problem, and read by what somebody says', async () => {
    const rows = [
      ['ID', 'Title', 'Created'],
      ['1', 'a', '05/01/2022 12:00:03 AM'],
      ['2', 'b', '06/01/2022 12:00:03 AM'],
    ]
    expect(await problemsOf(converted(temporaryFolder(), rows))).toEqual([
      'row 2: Created: 05/01/2022 12:00:03 AM and other dates fit two orders; set dateOrder to dmy or mdy (--date-order on the command line)',
    ])
    const { tickets } = await converted(temporaryFolder(), rows, { dateOrder: 'mdy' })
    expect(tickets[0]?.createdAt).toBe('2022-05-01T00:00:03.000Z')
  })

  test('with mistakes names all of them and leaves no file', async () => {
    const folder = temporaryFolder()
    const rows = [
      ['ID', 'Title', 'Created'],
      ['1', 'a', '30.02.2026'],
      ['1', 'b', '4/13/2026'],
      ['3', 'c', '01.02.2026'],
      ['4', 'd'],
    ]
    const input = writeTable(folder, rows)
    const mapping = { ...MAPPING, columns: { ID: 'externalId', Title: 'title', Created: 'createdAt' } } as const
    const conversion = convertSource({
      kind: csv,
      inputs: [input],
      mapping,
      output: join(folder, 'a.fpl'),
      unplacedCsv: join(folder, 'u.csv'),
    })
    expect(await problemsOf(conversion)).toEqual([
      'row 2: Created: 30.02.2026 is not a date; correct it, or map the column to description+',
      'row 3: Created: 4/13/2026 is not a date; set dateOrder to mdy, or correct it',
      'row 3: externalId: the id 1 is also that of row 2; map a column whose values differ, or remove one',
      expect.stringMatching(/^row 5: Created: the row has 2 of 3 cells/),
    ])
    expect(readdirSync(folder)).toEqual(['source.csv'])
  })

  test('with local times in doubt counts them', async () => {
    const { result } = await converted(
      temporaryFolder(),
      [
        ['ID', 'Title', 'Created'],
        ['1', 'a', '25.10.2026 03:30'],
        ['2', 'b', '29.03.2026 03:30'],
        ['3', 'c', '0000-00-00 00:00:00'],
      ],
      { timeZone: 'Europe/Tallinn', columns: { Created: 'createdAt' } },
    )
    expect(result.unplaced.map(({ became }) => became)).toEqual([
      'the earlier of two moments, because the clock was set back',
      'a moment after the change, because the clock skipped this time',
      'left out, because it says that there is no date',
    ])
  })

  test('reports which columns the mapping lists in vain, and which it does not list', async () => {
    const folder = temporaryFolder()
    const input = writeTable(folder, [
      ['ID', 'Title', 'Extra'],
      ['1', 'a', 'b'],
    ])
    const mapping = { ...MAPPING, columns: { id: 'externalId', TITLE: 'title', Gone: 'unit' } } as const
    const { notes } = await convertSource({ kind: csv, inputs: [input], mapping, output: join(folder, 'a.fpl') })
    expect(notes?.map(({ text }) => text)).toEqual([
      'The mapping lists columns that the source lacks: Gone.',
      'The mapping does not list these columns, so they go to the description: Extra.',
    ])
  })

  test('that is aborted leaves nothing', async () => {
    const folder = temporaryFolder()
    const input = writeTable(folder, [
      ['ID', 'Title'],
      ['1', 'a'],
    ])
    const signal = AbortSignal.abort()
    const conversion = convertSource({
      kind: csv,
      inputs: [input],
      mapping: MAPPING,
      output: join(folder, 'a.fpl'),
      signal,
    })
    await expect(conversion).rejects.toThrow('aborted')
    expect(readdirSync(folder)).toEqual(['source.csv'])
  })

  test('without records is refused', async () => {
    const folder = temporaryFolder()
    const input = writeTable(folder, [['ID', 'Title']])
    const conversion = convertSource({ kind: csv, inputs: [input], mapping: MAPPING, output: join(folder, 'a.fpl') })
    expect(await problemsOf(conversion)).toEqual(['source: there is no record in it; export it again'])
  })
})

describe('attachments', () => {
  const rows = [
    ['ID', 'Title', 'Attachments'],
    ['1', 'a', 'FOTO, köök.JPG; sub/b.txt'],
    ['2', 'b', 'https://x.example/files/foto%2C%20k%C3%B6%C3%B6k.jpg?sig=1'],
  ]
  const columns = { Attachments: 'attachments' } as const

  function folderWithFiles(): string {
    const folder = join(temporaryFolder(), 'files')
    mkdirSync(join(folder, 'deep/sub'), { recursive: true })
    writeFileSync(join(folder, 'foto, köök.jpg'.normalize('NFD')), 'photo')
    writeFileSync(join(folder, 'deep/sub/b.txt'), 'text')
    return folder
  }

  test('are found in a folder, whatever their case and Unicode form', async () => {
    const { report, tickets } = await converted(
      temporaryFolder(),
      rows,
      { columns },
      { attachments: folderWithFiles() },
    )
    expect(report).toMatchObject({ valid: true, attachments: 3 })
    expect(tickets[0]?.attachments).toEqual([
      { path: 'attachments/1/FOTO, köök.JPG', name: 'FOTO, köök.JPG' },
      { path: 'attachments/2/b.txt', name: 'b.txt' },
    ])
    // The same file is stored once.
    expect(tickets[1]?.attachments).toEqual([{ path: 'attachments/1/FOTO, köök.JPG', name: 'foto, köök.jpg' }])
  })

  test('of one cell are told apart, even if only the last is there', async () => {
    const table = [
      ['ID', 'Title', 'Attachments'],
      ['1', 'x', 'gone.jpg, deep/sub/b.txt'],
    ]
    const problems = await problemsOf(
      converted(temporaryFolder(), table, { columns }, { attachments: folderWithFiles() }),
    )
    expect(problems).toEqual([expect.stringContaining('the file gone.jpg is missing')])
  })

  test('are found in a ZIP file', async () => {
    const zip = join(temporaryFolder(), 'files.zip')
    const large = Buffer.alloc(3_000_000, 'abc')
    writeFileSync(
      zip,
      buildZip([
        { name: 'x/foto, köök.jpg', data: large, method: 8 },
        { name: 'sub/b.txt', data: 'text' },
      ]),
    )
    const { report } = await converted(temporaryFolder(), rows, { columns }, { attachments: zip })
    expect(report).toMatchObject({ valid: true, attachments: 3 })
  })

  test('that are missing are problems, or names in the notes', async () => {
    const folder = temporaryFolder()
    expect(await problemsOf(converted(folder, rows, { columns }))).toEqual([
      expect.stringContaining('row 2: Attachments: the file FOTO is missing: no folder or ZIP file'),
      expect.stringContaining('row 2: Attachments: the file köök.JPG is missing'),
      expect.stringContaining('row 2: Attachments: the file b.txt is missing'),
      expect.stringContaining('row 3: Attachments: the file foto, köök.jpg is missing'),
    ])
    const { tickets, account } = await converted(folder, rows, { columns }, { allowMissing: true })
    expect(tickets[0]?.notes).toBe('Attachments: FOTO\nAttachments: köök.JPG\nAttachments: b.txt')
    expect(account).toContain('row 2,Attachments,b.txt,"a name in the notes, because the file is missing"')
  })

  test('of which a cell has only separators are in the account', async () => {
    const { account } = await converted(
      temporaryFolder(),
      [
        ['Id', 'Attachments'],
        ['1', ' ; '],
      ],
      { columns },
    )
    expect(account).toContain('row 2,Attachments,";","left out, because it has only separators"')
  })

  test('with the same name in two folders are refused unless the folder is named', async () => {
    const folder = join(temporaryFolder(), 'files')
    for (const name of ['a', 'b']) {
      mkdirSync(join(folder, name), { recursive: true })
      writeFileSync(join(folder, name, 'p.jpg'), name)
    }
    const table = [
      ['ID', 'Title', 'Attachments'],
      ['1', 'x', 'a/p.jpg'],
      ['2', 'y', 'p.jpg'],
    ]
    const problems = await problemsOf(converted(temporaryFolder(), table, { columns }, { attachments: folder }))
    expect(problems).toEqual([expect.stringContaining('row 3: Attachments: several files are called p.jpg')])
  })

  test('never come from outside the folder', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'files'))
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    const table = [
      ['ID', 'Title', 'Attachments'],
      ['1', 'x', '../secret.txt'],
      ['2', 'y', join(folder, 'secret.txt')],
    ]
    const problems = await problemsOf(
      converted(temporaryFolder(), table, { columns }, { attachments: join(folder, 'files') }),
    )
    expect(problems).toHaveLength(2)
  })
})

describe('a source with comments', () => {
  const comment = (rest: Partial<SourceComment>): SourceComment => ({
    place: 'ticket 1, comment 1',
    text: 'Hello',
    isHtml: false,
    files: [],
    ...rest,
  })

  async function ticketWith(record: Partial<SourceRecord>) {
    const kind: SourceKind = {
      name: 'zendesk',
      label: 'Test',
      open: async () => ({
        async *records() {
          yield { place: 'ticket 1', values: new Map([['Subject', 'x']]), comments: [], files: [], ...record }
        },
        async [Symbol.asyncDispose]() {},
      }),
    }
    const output = join(temporaryFolder(), 'a.fpl')
    const mapping = { ...MAPPING, columns: { Subject: 'title' } } as const
    const result = await convertSource({ kind, inputs: [], mapping, output })
    return { ticket: (await ticketsIn(output))[0], result }
  }

  test('keeps their order, authors, times and files', async () => {
    const read = async () => Buffer.from('photo')
    const file = { name: '../a..b\\c.jpg', contentType: 'hello world', paths: [], read }
    const { ticket, result } = await ticketWith({
      comments: [
        comment({
          text: '<p>One<br>two</p>',
          isHtml: true,
          author: { name: 'Mari', email: 'mari@example.ee' },
          createdAt: '2026-04-03T14:05:00Z',
        }),
        comment({ text: '', files: [file, { ...file, contentType: 'image/jpeg' }] }),
        comment({ text: 'Bye', author: { email: 'no address', phone: '1'.repeat(70) } }),
        comment({ text: ' ' }),
      ],
    })
    expect(ticket?.comments).toEqual([
      {
        content: 'One\ntwo',
        author: { name: 'Mari', email: 'mari@example.ee' },
        createdAt: '2026-04-03T14:05:00.000Z',
      },
      {
        content: '',
        attachments: [
          { path: 'attachments/1/__a_b_c.jpg', name: '__a_b_c.jpg' },
          { path: 'attachments/2/__a_b_c.jpg', name: '__a_b_c (2).jpg', contentType: 'image/jpeg' },
        ],
      },
      { content: `Bye\n\nAuthor phone: ${'1'.repeat(70)}`, author: { name: 'no address' } },
    ])
    expect(result).toMatchObject({ tickets: 1, comments: 3, attachments: 2 })
    expect(result.unplaced.map(({ column, became }) => [column, became])).toContainEqual([
      'comment',
      'left out, because it has neither text nor files',
    ])
  })

  test('names the comment whose date is wrong', async () => {
    expect(await problemsOf(ticketWith({ comments: [comment({ createdAt: 'soon' })] }))).toEqual([
      'ticket 1, comment 1: createdAt: soon is not a date; correct it, or map the column to description+',
    ])
  })
})
