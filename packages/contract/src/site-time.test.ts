import { describe, expect, test } from 'vitest'
import { siteTimeAt } from './site-time.ts'

const TALLINN = 'Europe/Tallinn'

/** Formats the local day and time, for example `sun 02:30`. */
function shown(timeZone: string, moment: string): string {
  const at = siteTimeAt(timeZone, Date.parse(moment))
  if (!at) return 'unknown'
  const two = (number: number) => String(number).padStart(2, '0')
  return `${at.weekday} ${two(Math.floor(at.minute / 60))}:${two(at.minute % 60)}`
}

describe('the time at a site', () => {
  test.each([
    ['UTC', '2025-01-01T00:00:00Z', 'wed 00:00'],
    ['UTC', '2025-01-01T00:00:59.999Z', 'wed 00:00'],
    ['UTC', '2025-01-05T23:59:00Z', 'sun 23:59'],
    [TALLINN, '2025-01-05T21:59:00Z', 'sun 23:59'],
    [TALLINN, '2025-01-05T22:00:00Z', 'mon 00:00'],
    [TALLINN, '2025-07-01T21:00:00Z', 'wed 00:00'],
    ['America/New_York', '2025-01-01T03:00:00Z', 'tue 22:00'],
    ['Asia/Kathmandu', '2025-01-01T18:15:00Z', 'thu 00:00'],
    ['Pacific/Kiritimati', '2025-01-01T10:00:00Z', 'thu 00:00'],
    ['UTC', '1969-12-31T23:59:30Z', 'wed 23:59'],
  ])('in %s at %s is %s', (timeZone, moment, expected) => {
    expect(shown(timeZone, moment)).toBe(expected)
  })

  test.each(['Mars/Olympus', '', 'Europe/Tallinn; DROP'])('in the time zone %j is unknown', (timeZone) => {
    expect(shown(timeZone, '2025-01-01T00:00:00Z')).toBe('unknown')
    expect(shown(timeZone, '2025-01-01T00:00:00Z')).toBe('unknown')
  })
})

describe('when the clock is set forward', () => {
  test.each([
    ['2025-03-30T00:59:00Z', 'sun 02:59'],
    ['2025-03-30T01:00:00Z', 'sun 04:00'],
    ['2025-03-30T01:30:00Z', 'sun 04:30'],
  ])('the time skips an hour: %s is %s', (moment, expected) => {
    expect(shown(TALLINN, moment)).toBe(expected)
  })
})

describe('when the clock is set back', () => {
  test.each([
    ['before', '2025-10-26T00:00:00Z', 'sun 03:00'],
    ['up to the last minute', '2025-10-26T00:59:00Z', 'sun 03:59'],
    ['when it shows 03:00 again', '2025-10-26T01:00:00Z', 'sun 03:59'],
    ['when it shows 03:30 again', '2025-10-26T01:30:30Z', 'sun 03:59'],
    ['when it shows 03:59 again', '2025-10-26T01:59:59Z', 'sun 03:59'],
    ['when it continues', '2025-10-26T02:00:00Z', 'sun 04:00'],
    ['long after', '2025-10-26T05:00:00Z', 'sun 07:00'],
  ])('no time occurs twice: %s', (_when, moment, expected) => {
    expect(shown(TALLINN, moment)).toBe(expected)
  })

  test.each([
    [
      'by half an hour',
      'Australia/Lord_Howe',
      '2025-04-05T15:10:00Z',
      'sun 01:59',
      '2025-04-05T15:30:00Z',
      'sun 02:00',
    ],
    ['by two hours', 'Antarctica/Troll', '2025-10-26T02:30:00Z', 'sun 02:59', '2025-10-26T03:00:00Z', 'sun 03:00'],
    ['at midnight', 'America/Santiago', '2025-04-06T03:30:00Z', 'sat 23:59', '2025-04-06T04:00:00Z', 'sun 00:00'],
  ])('the same %s', (_how, timeZone, repeated, still, over, next) => {
    expect(shown(timeZone, repeated)).toBe(still)
    expect(shown(timeZone, over)).toBe(next)
  })

  test('the time pauses or advances, minute by minute, and never goes back', () => {
    const minutes: number[] = []
    for (
      let moment = Date.parse('2025-10-25T22:00:00Z');
      moment < Date.parse('2025-10-26T06:00:00Z');
      moment += 60_000
    ) {
      minutes.push(siteTimeAt(TALLINN, moment)?.minute ?? Number.NaN)
    }
    const steps = new Set(minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? 0)))
    expect(steps).toEqual(new Set([0, 1]))
  })
})
