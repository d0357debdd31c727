import { UNPLACED_CODES } from '@plantroom/contract/conversion-account'
import { type ConversionNote, NOTE_CODES } from '@plantroom/contract/conversion-notes'
import { expect, test } from 'vitest'
import { describeColumn, describeNote, describePlace, describeUnplaced } from './describe-account.ts'

const note = (changes: Partial<ConversionNote>) =>
  describeNote({ code: 'no-id-column', text: 'in English', ...changes })

test('the console has its own text, without a gap, for everything that a conversion says', () => {
  const details = { values: ['a'], more: 0, count: 3, subject: 'dmy', dayFirst: 1, monthFirst: 2 }
  const said = [
    ...NOTE_CODES.map((code) => note({ code, ...details })),
    ...UNPLACED_CODES.map((code) => describeUnplaced({ code, became: 'in English', detail: 'title' })),
  ]
  for (const text of said) expect(text).not.toMatch(/in English|[{}]/)
})

test('what a later service says is shown in its words', () => {
  expect(note({ code: 'something-new' as never })).toBe('in English')
  expect(describeUnplaced({ code: 'something-new' as never, became: 'in English' })).toBe('in English')
})

test('a note names at most ten values, the names of orders, and where a time zone comes from', () => {
  const values = Array.from({ length: 12 }, (_, index) => `s${index}`)
  expect(note({ code: 'unknown-states', values: ['Odd', 'Strange'] })).toMatch(
    /“New”, or “Resolved” .*: Odd and Strange\.$/,
  )
  expect(note({ code: 'unknown-states', values, more: 5 })).toMatch(/s8, s9 and 7 more\.$/)
  expect(note({ code: 'unknown-states', values: ['Odd'], counts: [1200] })).toMatch(/: Odd \(1,200\)\.$/)
  expect(note({ code: 'undated', count: 7, values: ['row 2', 'issue P-1'] })).toBe(
    'Without a date of creation: 7, for example row 2 and issue P-1.',
  )
  expect(note({ code: 'one-state', count: 30, subject: 'on_hold' })).toBe('All 30 requests have the state “On hold”.')
  expect(note({ code: 'two-date-orders', subject: 'mdy', dayFirst: 1, monthFirst: 2000 })).toContain(
    '1 have the day first, 2,000 the month. They are read with this order: Month first.',
  )
  expect(note({ code: 'zone-assumed', subject: 'Europe/Tallinn', from: 'site' })).toContain(
    'Europe/Tallinn, the time zone of this site',
  )
  expect(note({ code: 'zone-assumed', subject: 'UTC', from: 'default' })).not.toContain('site')
})

test('a name in a note is never read as a message', () => {
  expect(note({ code: 'columns-missing', values: ['{count}', "'{'", '<b>'] })).toContain("{count}, '{', and <b>")
})

test.each([
  [{ code: 'other-state', detail: 'on_hold' }, 'the state “On hold”, with the value in the notes'],
  [{ code: 'notes-unfit', detail: 'externalId' }, 'part of the notes, because this field cannot hold it: External ID'],
  [{ code: 'person-name-in-notes', detail: 'assignee' }, 'Assignee (e-mail), with the name in the notes'],
] as const)('%j is shown with the words of the console', (became, text) => {
  expect(describeUnplaced({ became: '', ...became })).toBe(text)
})

test.each([
  ['row 12', 'row 12'],
  ['issue PLANT-3, journal 7', 'issue PLANT-3, journal entry 7'],
  ['row 13 (record 11)', 'row 13 (record 11)'],
  ['tickets.json, line 4', 'tickets.json, line 4'],
  ['ticket 9, ITILFollowup 3', 'ticket 9, ITILFollowup 3'],
  ['the export', 'the export'],
  ['', ''],
])('the place %j is %j', (place, text) => expect(describePlace(place)).toBe(text))

test('only parts of an author get another name of their column', () => {
  expect(['author name', 'Colour', 'constructor'].map(describeColumn)).toEqual([
    'Name of the author',
    'Colour',
    'constructor',
  ])
})
