import type { Target } from '@plantroom/contract/conversion'
import { describe, expect, test } from 'vitest'
import type { SourceKind } from '../source.ts'
import { csv } from '../sources/csv/index.ts'
import { createColumnStudy, describeColumns } from './columns.ts'
import { headerHints, proposeMapping, type StudiedFacts } from './propose.ts'
import { HEADERS } from './vocabulary.ts'

/** Studies a table: the first row is the header. */
function studied([header = [], ...rows]: readonly (readonly string[])[], kind: SourceKind = csv) {
  const study = createColumnStudy(header, headerHints(kind))
  for (const cells of rows) {
    const values = new Map(cells.flatMap((cell, index) => (cell === '' ? [] : [[header[index] ?? '', cell]])))
    study.add({ place: '', values, comments: [], files: [] })
  }
  return study
}
const factsOf = ({ columns, commentDates }: ReturnType<typeof studied>): StudiedFacts => ({
  columns: columns(),
  commentDates,
})
const proposed = (rows: readonly (readonly string[])[], preset?: string) =>
  proposeMapping(csv, factsOf(studied(rows)), { preset })
const targets = (rows: readonly (readonly string[])[], preset?: string) =>
  Object.values(proposed(rows, preset).mapping.columns)
const column = (header: string, ...values: string[]) => targets([[header], ...values.map((value) => [value])])[0]

describe('a header', () => {
  /** A value that each target can have. */
  const VALUES: Readonly<Partial<Record<Target, string>>> = {
    number: '7',
    feedback: '5',
    createdAt: '2026-04-03',
    updatedAt: '2026-04-03',
    resolvedAt: '2026-04-03',
    stateChangedAt: '2026-04-03',
    assignee: 'a@b.ee',
    supervisor: 'a@b.ee',
  }

  test.each(Object.entries(HEADERS) as [Target, readonly string[]][])('is recognised as %s', (target, headers) => {
    const others = headers.filter(
      (header) =>
        column(
          header.replace(/^./, (letter) => letter.toUpperCase()),
          VALUES[target] ?? 'a',
        ) !== target,
    )
    // Some mean something else, too: the first target of the list has them, and a number that is unique is an id.
    const meant = others.filter((header) => {
      const first = Object.values(HEADERS).find((list) => list.includes(header))
      return first === headers && target !== 'number'
    })
    expect(meant).toEqual([])
  })

  test.each<[string, string[], Target]>([
    ['ID', ['1', '2'], 'externalId'],
    ['ID', ['1', '1'], 'description+'],
    ['ID', ['x'.repeat(200), 'y'], 'description+'],
    ['Number', ['1', '2'], 'externalId'],
    ['Number', ['1', '1'], 'number'],
    ['Number', ['a', 'b'], 'description+'],
    ['Created', ['1.2.2026', '3.4.2026', '5.6.2026', '7.8.2026', 'soon'], 'createdAt'],
    ['Created', ['1.2.2026', '3.4.2026', '5.6.2026', 'soon'], 'description+'],
    ['Created', [], 'createdAt'],
    ['Assignee', ['a@b.ee'], 'assignee'],
    ['Assignee', ['Jaan'], 'notes+'],
    ['Supervisor', ['Jaan'], 'notes+'],
    ['Reporter', ['Mari'], 'reporter.name'],
    ['Reporter', ['a@b.ee'], 'reporter.email'],
    ['Feedback', ['5'], 'feedback'],
    ['Feedback', ['good'], 'feedbackText'],
    ['Comments', ['3'], 'description+'],
    ['Comments', ['a'], 'comment'],
    ['Attachments', ['2'], 'description+'],
    ['Attachments', ['a.jpg'], 'attachments'],
    ['Odd', ['open', 'closed'], 'state'],
    ['Odd', ['open'], 'description+'],
    ['Odd', ['open', 'odd'], 'description+'],
    ['Odd', ['low', 'high'], 'priority'],
    ['Odd', ['a@b.ee', 'c@d.ee'], 'reporter.email'],
    ['Odd', [], 'description+'],
  ])('%s with %j becomes %s', (header, values, target) => {
    expect(column(header, ...values)).toBe(target)
  })

  test('that fits best wins, and others that mean the same go to the description', () => {
    const rows = [
      ['Key', 'Ticket ID', 'Tags', 'Category', 'Stage', 'Status', 'Level', 'Priority'],
      ['1', '1', 'a', 'b', 'open', 'open', 'low', 'low'],
      ['2', '2', 'a', 'b', 'new', 'new', 'high', 'high'],
    ]
    expect(targets(rows).slice(0, 2)).toEqual(['description+', 'externalId'])
    expect(targets(rows).slice(4)).toEqual(['description+', 'state', 'description+', 'priority'])
  })

  test('of a preset counts before what every table has, if its values fit', () => {
    const rows = [
      ['Work Order #', 'Location', 'Completed By', 'Date Created', 'ID'],
      ['7', 'B1', 'Jaan', 'soon', 'a'],
      ['7', 'B1', 'Jaan', 'later', 'b'],
    ]
    expect(targets(rows, 'upkeep')).toEqual(['number', 'unit', 'description+', 'description+', 'externalId'])
    expect(proposed(rows, 'UPKEEP').mapping.preset).toBe('UPKEEP')
    expect(proposed(rows).mapping).not.toHaveProperty('preset')
  })

  test('of a system whose columns are known has no other meaning', () => {
    const kind = { ...csv, defaultMapping: { columns: { Key: 'externalId' }, states: { Odd: 'closed' } } } as SourceKind
    const study = studied(
      [
        ['KEY', 'Title'],
        ['1', 'a'],
      ],
      kind,
    )
    expect(proposeMapping(kind, factsOf(study)).mapping.columns).toEqual({ KEY: 'externalId', Title: 'description+' })
    expect(['key', 'Code', 'Work Order #', 'nr', 'Title'].map(headerHints(kind).mayBeId)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
  })
})

describe('the values of a column', () => {
  const table = (header: string, ...values: string[]) => {
    const { mapping, notes } = proposed([[header], ...values.map((value) => [value])])
    return { ...mapping, notes: notes.map(({ code }) => code) }
  }

  test('are priorities of ours when they are 0 to 3, and of others by their words', () => {
    expect(table('Priority', '0', '3').priorities).toEqual({ 0: 0, 3: 3 })
    expect(table('Priority', '0', '4')).toMatchObject({
      priorities: {},
      notes: expect.arrayContaining(['unknown-priorities']),
    })
    expect(table('Priority', '1', 'high', 'none').priorities).toEqual({ high: 2, none: null })
  })

  test('that no table knows are noted', () => {
    expect(table('Status', 'Odd', 'open')).toMatchObject({
      states: { open: 'open' },
      notes: ['unknown-states', 'no-id-column', 'no-title-column'],
    })
  })

  test('say the order of dates: the more frequent one, or that there is doubt', () => {
    expect(table('Created', '31/12/2026', '12/31/2026').dateOrder).toBe('dmy')
    expect(table('Created', '31/12/2026', '12/31/2026', '12/30/2026')).toMatchObject({
      dateOrder: 'mdy',
      notes: expect.arrayContaining(['two-date-orders']),
    })
    expect(table('Created', '1/2/2026').notes).toContain('date-order-needed')
    expect(table('Created', '2/2/2026').notes).not.toContain('date-order-needed')
    expect(table('Created', '12/1/2026').notes).toContain('date-order-needed')
    expect(table('Odd', '12/31/2026', 'a').dateOrder).toBe('dmy')
  })

  test.each([
    ['2026-04-03T10:00:00Z', false],
    ['2026-04-03T10:00:00+03:00', false],
    ['2026-04-03T10:00:00+0300', false],
    ['Fri, 3 Apr 2026 10:00:00 GMT', false],
    ['1775210700', false],
    ['2026-04-03 10:00', true],
    ['2026-04-03', true],
  ])('name a zone or not: %s', (date, isAssumed) => {
    expect(table('Created', date).notes.includes('zone-assumed')).toBe(isAssumed)
  })

  test('are listed with their number while they are few and short', () => {
    const described = (...values: string[]) =>
      describeColumns(studied([['X'], ...values.map((value) => [value])]).columns())[0]
    expect(described('a', 'b', 'b')).toEqual({
      name: 'X',
      filled: 3,
      samples: ['a', 'b'],
      values: [
        { value: 'b', count: 2 },
        { value: 'a', count: 1 },
      ],
    })
    expect(described('a', 'b', 'c', 'd', 'e', 'f')).toEqual({
      name: 'X',
      filled: 6,
      samples: ['a', 'b', 'c', 'd', 'e'],
    })
    expect(described('a', 'b', 'c', 'd', 'e')).toHaveProperty('values')
    expect(described('x'.repeat(200), 'a', 'a')).not.toHaveProperty('values')
    expect(described('a \n b')?.samples).toEqual(['a b'])
    expect(described()).toEqual({ name: 'X', filled: 0, samples: [] })
  })
})
