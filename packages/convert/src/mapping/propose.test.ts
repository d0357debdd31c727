import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { analyzeSource } from '../convert.ts'
import type { Source, SourceKind } from '../source.ts'
import { csv } from '../sources/csv/index.ts'
import { writeTable } from '../testing/converted.ts'

const analyze = (rows: readonly (readonly string[])[], preset?: string) =>
  analyzeSource(csv, [writeTable(temporaryFolder(), rows)], { preset })

/** A source with one comment of a date. */
function memory(rows: readonly Readonly<Record<string, string>>[], commentDate: string): Source {
  const comments = [{ place: 'c', createdAt: commentDate, text: 'x', isHtml: false, files: [] }]
  return {
    async *records() {
      for (const row of rows) yield { place: 'r', values: new Map(Object.entries(row)), comments, files: [] }
    },
    async [Symbol.asyncDispose]() {},
  }
}

describe('a proposed mapping', () => {
  test('takes a column of people for their addresses where it has these', async () => {
    const rows = (people: readonly string[]) => [['Subject', 'Reporter'], ...people.map((one) => ['Tap', one])]
    const targetOf = async (...people: string[]) => (await analyze(rows(people))).mapping.columns.Reporter
    expect(await targetOf('mari@example.ee', 'jaan@example.ee')).toBe('reporter.email')
    expect(await targetOf('Mari', 'Jaan')).toBe('reporter.name')
  })

  test.each([
    [
      'English',
      [
        'Ticket ID',
        'Subject',
        'Details',
        'Status',
        'Urgency',
        'Requested By',
        'Assigned to',
        'Room',
        'Created at',
        'Colour',
      ],
    ],
    [
      'German',
      [
        'Ticketnummer',
        'Betreff',
        'Beschreibung',
        'Status',
        'Priorität',
        'Melder',
        'Zugewiesen an',
        'Raum',
        'Erstellt am',
        'Farbe',
      ],
    ],
    [
      'Estonian',
      [
        'Viitenumber',
        'Pealkiri',
        'Kirjeldus',
        'Seisund',
        'Prioriteet',
        'Teataja',
        'Vastutaja',
        'Ruum',
        'Loodud',
        'Värv',
      ],
    ],
  ])('knows %s headers', async (_language, header) => {
    const row = ['T-1', 'a', 'b', 'open', 'high', 'Mari', 'fix@example.ee', 'B1', '2026-04-03 10:00', 'red']
    const { mapping } = await analyze([header, row])
    expect(Object.values(mapping.columns)).toEqual([
      'externalId',
      'title',
      'description',
      'state',
      'priority',
      'reporter.name',
      'assignee',
      'unit',
      'createdAt',
      'description+',
    ])
  })

  test('knows headers as facility managers abbreviate them', async () => {
    const header = ['Auftrags-Nr.', 'Betreff', 'E-Mail Bearbeiter', 'Interne Bemerkung', 'Gewerk', 'Status']
    const row = ['WA-1', 'a', 'fix@example.de', 'Schlüssel abholen', 'Sanitär', 'Wartet auf Ersatzteil']
    const { mapping } = await analyze([header, row])
    expect(Object.values(mapping.columns)).toEqual(['externalId', 'title', 'assignee', 'notes', 'tags', 'state'])
    expect(mapping.states).toEqual({ 'Wartet auf Ersatzteil': 'on_hold' })
  })

  test('looks at the values too', async () => {
    const { mapping, notes } = await analyze([
      ['ID', 'Created', 'Assignee', 'Comments', 'Stage', 'Level', 'Who'],
      ['1', 'last week', 'Jaan', '3', 'Offen', 'Hoch', 'a@b.ee'],
      ['1', 'today', 'Mari', '0', 'Erledigt', 'Niedrig', 'c@d.ee'],
    ])
    expect(mapping.columns).toEqual({
      // Ids repeat, dates are none, names are no addresses, and comments are counts.
      ID: 'description+',
      Created: 'description+',
      Assignee: 'notes+',
      Comments: 'description+',
      Stage: 'state',
      Level: 'priority',
      Who: 'reporter.email',
    })
    expect(mapping.states).toEqual({ Offen: 'open', Erledigt: 'resolved' })
    expect(mapping.priorities).toEqual({ Hoch: 2, Niedrig: 0 })
    expect(notes?.map(({ text }) => text)).toContain(
      'No column has a unique id, so ids are derived from the title and the time of creation.',
    )
  })

  test('assumes nothing about unknown states and numbered priorities', async () => {
    const { mapping, notes } = await analyze([
      ['ID', 'Title', 'Status', 'Priority'],
      ['1', 'a', 'Open', '1'],
      ['2', 'b', 'Wibble', '5'],
    ])
    expect(mapping.states).toEqual({ Open: 'open' })
    expect(mapping.priorities).toEqual({})
    expect(notes).toEqual([
      {
        code: 'unknown-states',
        text: 'Unknown states: Wibble (1). Such requests become new, or resolved if the source says that they are done.',
        values: ['Wibble'],
        counts: [1],
      },
      {
        code: 'unknown-priorities',
        text: 'Unknown priorities are left empty: 1 (1), 5 (1).',
        values: ['1', '5'],
        counts: [1, 1],
      },
    ])
  })

  test.each([
    [['1/2/2026', '13/2/2026'], 'dmy', undefined],
    [['1/2/2026', '2/13/2026'], 'mdy', undefined],
    [['1/2/2026', '3/4/2026'], undefined, 'Every date fits two orders, for example 1/2/2026'],
    [['05/01/2022 12:00:03 AM'], undefined, 'Every date fits two orders, for example 05/01/2022 12:00:03 AM'],
    [
      ['13/2/2026', '2/13/2026', '14/2/2026'],
      'dmy',
      'Dates are written in two orders: 2 have the day first, 1 the month',
    ],
    [['01.02.2026', '2026-03-04'], 'dmy', undefined],
  ])('decides the order of %j: %s', async (dates, order, note) => {
    const { mapping, notes } = await analyze([
      ['ID', 'Title', 'Created'],
      ...dates.map((date, index) => [`${index}`, 'a', date]),
    ])
    expect(mapping.dateOrder).toBe(order)
    const about = notes?.filter(({ code }) => code !== 'zone-assumed')
    expect(about?.map(({ text }) => text)).toEqual(note === undefined ? [] : [expect.stringContaining(note)])
  })

  test.each([
    [
      'maintainx',
      ['ID', 'Title', 'Status', 'Created On', 'Completed By'],
      ['1', 'a', 'Done', '2026-01-01', 'Jaan'],
      'resolved',
    ],
    [
      'UpKeep',
      ['Work Order #', 'Work Order Title', 'Status', 'Date Created', 'Due Date'],
      ['1', 'a', 'Complete', '2026-01-01', ''],
      'resolved',
    ],
    [
      'fiix',
      ['Code', 'Summary of Issue', 'Work Order Status', 'Date Created', 'Site'],
      ['1', 'a', 'Closed, Incomplete', '2026-01-01', ''],
      'canceled',
    ],
  ])('follows the preset %s', async (preset, header, row, state) => {
    const { mapping } = await analyze([header, row], preset)
    expect(Object.values(mapping.columns).slice(1, 4)).toEqual(['title', 'state', 'createdAt'])
    expect(Object.values(mapping.states)).toEqual([state])
  })

  const DATED = [
    ['ID', 'Title', 'Created'],
    ['1', 'a', '31.03.2026 10:00'],
  ]

  test.each([
    ['site', 'read as Europe/Tallinn, the time zone of the site.'],
    ['computer', 'read as Europe/Tallinn, the time zone of this computer.'],
    ['option', undefined],
  ] as const)('has the time zone of the %s, and says so', async (from, text) => {
    const input = writeTable(temporaryFolder(), DATED)
    const timeZone = { name: 'Europe/Tallinn', from }
    const { mapping, timeZoneFrom, notes } = await analyzeSource(csv, [input], { timeZone })
    expect([mapping.timeZone, timeZoneFrom]).toEqual(['Europe/Tallinn', from])
    const about = notes?.filter(({ code }) => code === 'zone-assumed')
    expect(about).toEqual(
      text === undefined ? [] : [expect.objectContaining({ from, text: expect.stringContaining(text) })],
    )
  })

  test('has the time zone of a system that is known to use one, unless a person states another', async () => {
    const kind = {
      ...csv,
      defaultMapping: { columns: { ID: 'externalId', Status: 'state', Created: 'createdAt' }, timeZone: 'UTC' },
    } as const
    const zoneOf = async (from: 'site' | 'option') => {
      const timeZone = { name: 'Europe/Tallinn', from }
      const rows = DATED.map((row, index) => [...row, index === 0 ? 'Status' : 'open'])
      const analysis = await analyzeSource(kind, [writeTable(temporaryFolder(), rows)], { timeZone })
      return [analysis.mapping.timeZone, analysis.timeZoneFrom, analysis.notes?.map(({ code }) => code)]
    }
    expect(await zoneOf('site')).toEqual(['UTC', 'system', ['no-title-column']])
    expect(await zoneOf('option')).toEqual(['Europe/Tallinn', 'option', ['no-title-column']])
    const { timeZoneFrom } = await analyze(DATED)
    expect(timeZoneFrom).toBe('default')
  })

  test('does not exist for an unknown preset', async () => {
    await expect(analyze([['ID'], ['1']], 'maximo')).rejects.toThrow(
      'there is no preset maximo; use maintainx, upkeep, fiix',
    )
  })

  test('comes with samples, counts and the values of columns with few', async () => {
    const { columns, records } = await analyze([
      ['ID', 'Status', 'Empty'],
      ...Array.from({ length: 60 }, (_, index) => [`${index}`, index % 3 === 0 ? 'New' : 'Done', '']),
    ])
    expect(records).toBe(60)
    expect(columns).toEqual([
      { name: 'ID', filled: 60, samples: ['0', '1', '2', '3', '4'] },
      {
        name: 'Status',
        filled: 60,
        samples: ['New', 'Done'],
        values: [
          { value: 'Done', count: 40 },
          { value: 'New', count: 20 },
        ],
      },
      { name: 'Empty', filled: 0, samples: [] },
    ])
  })

  test('takes the order of dates from the comments too, and from a person', async () => {
    const kind: SourceKind = { ...csv, open: async () => memory([{ ID: '1', Created: '1/2/2026' }], '2/13/2026') }
    expect((await analyzeSource(kind, [])).mapping.dateOrder).toBe('mdy')
    const rows = [['Created'], ['1/2/2026']]
    const input = writeTable(temporaryFolder(), rows)
    const { mapping, notes } = await analyzeSource(csv, [input], { dateOrder: 'mdy' })
    expect(mapping.dateOrder).toBe('mdy')
    expect(notes?.map(({ code }) => code)).not.toContain('date-order-needed')
  })

  test('lists any number of states, long ones too, with their counts', async () => {
    const states = Array.from({ length: 600 }, (_, index) => `Stage ${index}`)
    const long = `Waiting ${'x'.repeat(150)}`
    const rows = [...states, long, 'Done', 'Done'].map((state, index) => [`${index}`, 'a', state])
    const { columns, mapping, notes } = await analyze([['ID', 'Title', 'Status'], ...rows])
    const listed = columns.find(({ name }) => name === 'Status')?.values ?? []
    expect(listed).toHaveLength(602)
    expect(listed[0]).toEqual({ value: 'Done', count: 2 })
    expect(listed.map(({ value }) => value)).toContain(long)
    expect(mapping.states).toEqual({ Done: 'resolved' })
    expect(notes?.find(({ code }) => code === 'unknown-states')).toMatchObject({ more: 501 })
  })

  test('says that a column has more values than it lists', async () => {
    const rows = [...Array.from({ length: 10_001 }, (_, index) => `S${index}`), 'y'.repeat(300)]
    const { notes } = await analyze([['ID', 'Status'], ...rows.map((state, index) => [`${index}`, state])])
    expect(notes?.find(({ code }) => code === 'values-unlisted')).toMatchObject({ subject: 'Status', count: 2 })
  })

  test('lists more than 50 values of a column that nobody calls a state, if they repeat', async () => {
    const rows = Array.from({ length: 1200 }, (_, index) => [`${index}`, `Trade ${index % 60}`, `${index}/${index}`])
    const { columns } = await analyze([['ID', 'Trade', 'Address'], ...rows])
    expect(columns.map(({ values }) => values?.length)).toEqual([undefined, 60, undefined])
  })

  test('proposes the state of an unknown value whose requests nearly all have a resolved date', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => [
      `${index}`,
      index < 10 ? 'Handed over' : 'Rests',
      index === 0 || index === 15 ? '' : index < 10 ? '2026-01-02' : '',
    ])
    const { mapping, notes } = await analyze([['ID', 'Status', 'Completed Date'], ...rows])
    expect(mapping.states).toEqual({ 'Handed over': 'resolved' })
    const texts = notes?.map(({ text }) => text).join(' ')
    expect(texts).toContain('Handed over: resolved')
    expect(texts).toContain('Unknown states: Rests (10).')
  })

  test('knows headers of registers and databases', async () => {
    const { mapping } = await analyze([
      ['Unique Key', 'Created Date', 'Closed Date', 'Descriptor', 'Status', 'Resolution Description'],
      ['1', '2026-01-01', '2026-01-02', 'Leak', 'Closed', 'Fixed'],
    ])
    const targets = ['externalId', 'createdAt', 'resolvedAt', 'title', 'state', 'resolutionSummary']
    expect(Object.values(mapping.columns)).toEqual(targets)
    const maximo = await analyze([
      ['wonum', 'statusdate', 'Completed Date', 'wopriority'],
      ['W1', '2026-01-01', '2026-01-02', '1'],
    ])
    expect(Object.values(maximo.mapping.columns)).toEqual(['externalId', 'stateChangedAt', 'resolvedAt', 'priority'])
    const german = await analyze([
      ['Auftrag', 'Kurztext', 'Meldedatum', 'Erledigt', 'Bearbeitungsstatus'],
      ['A1', 'Licht', '01.02.2026', '02.02.2026', 'Offen'],
    ])
    expect(Object.values(german.mapping.columns)).toEqual(['externalId', 'title', 'createdAt', 'resolvedAt', 'state'])
  })

  test.each([
    [['When'], 'createdAt'],
    [['When', 'Other'], 'description+'],
    [['Due'], 'description+'],
  ])('takes the only column of dates for the creation: %j', async (names, target) => {
    const { mapping, notes } = await analyze([
      ['ID', ...names],
      ['1', ...names.map(() => '2026-01-01')],
      ['2', ...names.map(() => '2026-01-02')],
    ])
    expect(mapping.columns[names[0] ?? '']).toBe(target)
    expect(notes?.some(({ code }) => code === 'columns-by-values')).toBe(target === 'createdAt')
  })
})
