import { describe, expect, test } from 'vitest'
import { addDays, dateAt, hourTicks, periodOf, readDate } from './calendar-time.ts'

const TALLINN = 'Europe/Tallinn'
const iso = (at: number) => new Date(at).toISOString()

describe('a period of the calendar', () => {
  test('is a week from Monday, or a day, in the time of the site', () => {
    const week = periodOf('week', '2026-11-18', TALLINN)
    expect([week.days.length, week.days[0]?.date, iso(week.start), iso(week.end)]).toEqual([
      7,
      '2026-11-16',
      '2026-11-15T22:00:00.000Z',
      '2026-11-22T22:00:00.000Z',
    ])
    expect(periodOf('week', '2026-11-22', 'UTC').days[0]?.date).toBe('2026-11-16')
    expect(periodOf('day', '2026-11-18', 'Asia/Kathmandu').days).toMatchObject([{ date: '2026-11-18', hours: 24 }])
  })

  test.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-10-26', 24],
  ])('has a day %s of %i hours', (date, hours) => {
    expect(periodOf('day', date, TALLINN).days[0]?.hours).toBe(hours)
  })

  test('is 167 or 169 hours long in the week in which the clocks change', () => {
    const hours = (date: string) => {
      const { start, end } = periodOf('week', date, TALLINN)
      return (end - start) / 3_600_000
    }
    expect([hours('2026-03-25'), hours('2026-10-20'), hours('2026-11-18')]).toEqual([167, 169, 168])
  })

  test('labels a repeated hour twice, and leaves out a skipped one', () => {
    const labels = (date: string) => {
      const [day] = periodOf('day', date, TALLINN).days
      return day ? hourTicks(day, 1, TALLINN).map(({ label }) => label) : []
    }
    expect(labels('2026-10-25').filter((label) => label === '03:00')).toHaveLength(2)
    expect(labels('2026-03-29')).not.toContain('03:00')
    expect(labels('2026-03-29')).toHaveLength(23)
  })
})

test('the date at a site is that of its own clock', () => {
  expect(dateAt(Date.parse('2026-11-15T23:00:00Z'), TALLINN)).toBe('2026-11-16')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
})

test.each([
  ['2026-11-16', '2026-11-16'],
  ['2026-02-30', undefined],
  ['16.11.2026', undefined],
  ['9999-01-01', undefined],
  [null, undefined],
])('an address with the date %s means %s', (text, date) => {
  expect(readDate(text)).toBe(date)
})
