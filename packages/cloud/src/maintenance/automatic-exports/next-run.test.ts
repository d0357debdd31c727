import type { ExportSchedule } from '@plantroom/contract/automatic-exports'
import { describe, expect, test } from 'vitest'
import { nextRun, problemOfSchedule } from './next-run.ts'

const TALLINN = 'Europe/Tallinn'

/** The times of a schedule after a moment, in UTC. */
function runs(schedule: ExportSchedule, timeZone: string, from: string, count: number): string[] {
  const found: string[] = []
  for (let after = Date.parse(from), last = after; found.length < count; last = after) {
    after = nextRun(schedule, { timeZone, after, last })
    found.push(new Date(after).toISOString().slice(0, 16))
  }
  return found
}

describe('the times of a schedule', () => {
  test('follow the local time through summer and winter', () => {
    const daily = { every: 'day', at: '02:30' } as const
    expect(runs(daily, TALLINN, '2026-01-14T12:00Z', 2)).toEqual(['2026-01-15T00:30', '2026-01-16T00:30'])
    expect(runs(daily, TALLINN, '2026-07-14T12:00Z', 1)).toEqual(['2026-07-14T23:30'])
  })

  test('contain a local time once that the clock skips, as much later as the clock jumps', () => {
    // 29 March 2026: 03:00 becomes 04:00.
    const daily = { every: 'day', at: '03:30' } as const
    const found = runs(daily, TALLINN, '2026-03-27T12:00Z', 3)
    expect(found).toEqual(['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'])
  })

  test('contain a local time once that the clock shows twice, at the first of the two', () => {
    // 25 October 2026: 04:00 becomes 03:00.
    const daily = { every: 'day', at: '03:30' } as const
    const found = runs(daily, TALLINN, '2026-10-24T12:00Z', 3)
    expect(found).toEqual(['2026-10-25T00:30', '2026-10-26T01:30', '2026-10-27T01:30'])
  })

  test('contain a day that a zone skips as a whole once', () => {
    // Samoa had no 30 December 2011.
    const daily = { every: 'day', at: '12:00' } as const
    const found = runs(daily, 'Pacific/Apia', '2011-12-29T00:00Z', 3)
    expect(found).toEqual(['2011-12-29T22:00', '2011-12-30T22:00', '2011-12-31T22:00'])
  })

  test('have one a week and one a month, on the last day of shorter months', () => {
    const weekly = { every: 'week', weekday: 'sun', at: '23:45' } as const
    expect(runs(weekly, 'UTC', '2026-11-15T23:45Z', 2)).toEqual(['2026-11-22T23:45', '2026-11-29T23:45'])
    const monthly = { every: 'month', day: 31, at: '01:00' } as const
    const found = runs(monthly, 'UTC', '2027-01-15T00:00Z', 4)
    expect(found).toEqual(['2027-01-31T01:00', '2027-02-28T01:00', '2027-03-31T01:00', '2027-04-30T01:00'])
  })

  test('keep their hours apart, also after a time without service', () => {
    const last = Date.parse('2026-01-01T00:00Z')
    const hours = (after: string) =>
      new Date(nextRun({ every: 'hours', hours: 6 }, { timeZone: 'UTC', after: Date.parse(after), last })).toISOString()
    expect(hours('2026-01-01T00:00Z')).toBe('2026-01-01T06:00:00.000Z')
    expect(hours('2026-01-09T07:00Z')).toBe('2026-01-09T12:00:00.000Z')
    // The clock of another worker was ahead.
    expect(hours('2025-12-31T20:00Z')).toBe('2026-01-01T06:00:00.000Z')
  })

  test('are in UTC where the machine does not know the zone', () => {
    expect(runs({ every: 'day', at: '02:00' }, 'Mars/Olympus', '2026-01-01T00:00Z', 1)).toEqual(['2026-01-01T02:00'])
  })

  test('grow by one date a day for years, in zones that change their clocks', () => {
    for (const zone of ['Australia/Lord_Howe', 'America/Santiago']) {
      for (const at of ['00:00'] as const) {
        const found = runs({ every: 'day', at }, zone, '2026-01-01T12:00Z', 400)
        const gaps = found
          .slice(1)
          .map((time, index) => (Date.parse(`${time}Z`) - Date.parse(`${found[index]}Z`)) / 3.6e6)
        expect([zone, Math.min(...gaps) >= 22, Math.max(...gaps) <= 26]).toEqual([zone, true, true])
      }
    }
  })
})

test.each([
  [{ every: 'day' }, 'schedule.at is missing'],
  [{ every: 'week', at: '01:00' }, 'schedule.weekday is missing'],
  [{ every: 'month', at: '01:00' }, 'schedule.day is missing'],
  [{ every: 'hours' }, 'schedule.hours is missing'],
  [{ every: 'day', at: '01:00', day: 3 }, 'schedule.day has no meaning for every day'],
] as const)('a schedule such as %j is refused', (schedule, message) => {
  expect(problemOfSchedule(schedule)?.problem).toContain(message)
})
