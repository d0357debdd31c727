import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDuration, END_OF_TIME, formatDuration, readDuration } from './durations.ts'

test.each([
  ['PT15M', { months: 0, ms: 900_000 }],
  ['P1DT2H', { months: 0, ms: 26 * 3_600_000 }],
  ['P2W', { months: 0, ms: 14 * 86_400_000 }],
  ['P1Y2M', { months: 14, ms: 0 }],
  ['PT0.5S', { months: 0, ms: 500 }],
  ['PT1,5H', { months: 0, ms: 5_400_000 }],
  ['PT0S', { months: 0, ms: 0 }],
])('reads %s', (text, duration) => {
  expect(readDuration(text)).toEqual(duration)
})

test.each([
  '',
  'P',
  'PT',
  'P1',
  '15M',
  '-PT15M',
  'PT15',
  'PTM',
  'P1H',
  'PT1D',
  'PT1M1H',
  'P1D1D',
  'P0.5Y',
  'PT1e3S',
  ' PT1H',
  'P1DT',
  `PT${'9'.repeat(70)}S`,
])('refuses %j', (text) => {
  expect(readDuration(text)).toBeUndefined()
})

test('months have the length that the calendar gives them', () => {
  const plusMonths = (from: string, months: number) =>
    new Date(addDuration(Date.parse(from), { months, ms: 0 })).toISOString()
  expect(plusMonths('2030-01-31T10:00:00.000Z', 1)).toBe('2030-02-28T10:00:00.000Z')
  expect(plusMonths('2032-02-29T10:00:00.000Z', 12)).toBe('2033-02-28T10:00:00.000Z')
  expect(addDuration(0, { months: 9999 * 12, ms: 0 })).toBe(END_OF_TIME)
})

test('what is written can be read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (ms) => {
      expect(readDuration(formatDuration(ms))).toEqual({ months: 0, ms })
    }),
    cases(100),
  )
})
