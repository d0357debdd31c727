import type { Mapping, SourceAnalysis } from '@plantroom/contract/conversion'
import { describe, expect, test } from 'vitest'
import {
  columnsThatBecome,
  doubtsOf,
  entryOf,
  fromYaml,
  needsOrder,
  targetOf,
  toYaml,
  withEntry,
} from './mapping-draft.ts'

const MAPPING: Mapping = {
  timeZone: 'Europe/Tallinn',
  dateOrder: 'dmy',
  columns: { Id: 'externalId', Title: 'title', Status: 'state', 'a: "b"': 'omit' },
  states: { Open: 'open', '- done': 'closed' },
  otherState: 'new',
  priorities: { high: 2, none: null },
}
const column = (name: string) => ({ name, filled: 1, samples: [], values: [{ value: 'Open', count: 2 }] })
const ANALYSIS: SourceAnalysis = {
  source: 'csv',
  records: 3,
  columns: ['Id', 'Title', 'Status', 'Colour', 'Size'].map(column),
  mapping: MAPPING,
}

describe('a mapping', () => {
  test('appends columns that it does not name to the description', () => {
    expect(targetOf(MAPPING, 'Colour')).toBe('description+')
    expect(targetOf(MAPPING, 'constructor')).toBe('description+')
    expect(columnsThatBecome(ANALYSIS, MAPPING, 'state').map(({ name }) => name)).toEqual(['Status'])
  })

  test('lists no values of an empty column', () => {
    const empty = { name: 'Status', filled: 0, samples: [] }
    const analysis: SourceAnalysis = { ...ANALYSIS, columns: [column('Id'), column('Title'), empty] }
    expect(columnsThatBecome(analysis, MAPPING, 'state')).toEqual([{ name: 'Status', values: [] }])
  })

  test('compares values trimmed and without regard to case', () => {
    expect(entryOf(MAPPING.states, ' OPEN ')).toBe('open')
    expect(entryOf(MAPPING.states, 'toString')).toBeUndefined()
    expect(withEntry(MAPPING.states, 'open ', 'on_hold')).toEqual({ '- done': 'closed', open: 'on_hold' })
    expect(withEntry<Mapping['otherState']>(MAPPING.states, 'OPEN', undefined)).toEqual({ '- done': 'closed' })
    expect(entryOf(MAPPING.priorities, 'None')).toBeNull()
  })

  test('has doubts about missing and doubled fields', () => {
    expect(doubtsOf(ANALYSIS, MAPPING)).toEqual([])
    const bad = { ...MAPPING, columns: { Id: 'unit', Title: 'unit', Status: 'omit', Colour: 'omit' } } as const
    expect(doubtsOf(ANALYSIS, bad)).toEqual([
      expect.stringContaining('title'),
      expect.stringContaining('external ID'),
      'Id and Title all become Unit. Only one column can.',
    ])
  })
})

test('dates that fit two orders need a choice', () => {
  const { dateOrder: _, ...undecided } = MAPPING
  const analysis: SourceAnalysis = { ...ANALYSIS, mapping: undecided, notes: [{ code: 'date-order-needed', text: '' }] }
  expect([needsOrder(analysis, undecided), needsOrder(analysis, MAPPING)]).toEqual([true, false])
  expect(needsOrder(ANALYSIS, undecided)).toBe(false)
  expect(doubtsOf(analysis, undecided)).toEqual([expect.stringContaining('order of dates')])
  expect(fromYaml(toYaml({ ...undecided, stateFromEvidence: false }))).toEqual({
    mapping: { ...undecided, stateFromEvidence: false },
  })
})

describe('YAML', () => {
  test('holds the same mapping', () => {
    expect(fromYaml(toYaml(MAPPING))).toEqual({ mapping: MAPPING })
    expect(toYaml(MAPPING, ['Status', 'Gone', 'Id'])).toMatch(
      /^timeZone: .*\n.*\ncolumns:\n {2}Status: state\n {2}Id: /,
    )
  })

  test.each([
    ['a: [', 'not valid YAML'],
    ['- a', 'names and values'],
    ['', 'names and values'],
    [toYaml(MAPPING).replace('timeZone', 'zone'), 'timeZone is missing'],
    [`${toYaml(MAPPING)}zone: UTC\n`, 'zone is not part'],
    [toYaml(MAPPING).replace('Title: title', 'Title: heading'), 'columns.Title: "heading" is not possible'],
    [toYaml(MAPPING).replace('high: 2', 'high: 7'), 'priorities.high: 7'],
    [toYaml({ ...MAPPING, states: [] as never }), 'states must have names'],
    [toYaml(MAPPING).replace('dmy', 'ymd'), 'dmy, mdy'],
  ])('%j: says what is wrong', (text, problem) => {
    expect(fromYaml(text)).toEqual({ problem: expect.stringContaining(problem) })
  })
})
