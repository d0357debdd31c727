import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTimestamp, parseTimestamp } from './timestamp.ts'

describe('a timestamp', () => {
  test.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.5Z', '2026-03-01T12:00:00.500Z'],
    ['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123Z'],
    ['2026-03-01t12:00:00z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00+02:00', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T00:30:00+05:45', '2026-02-28T18:45:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2026-03-01T12:00:00-00:00', '2026-03-01T12:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-06-01T00:00:00Z', '0099-06-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, utc) => {
    expect(formatTimestamp(parseTimestamp(text) ?? Number.NaN)).toBe(utc)
  })

  test.each([
    ['has no zone', '2026-03-01T12:00:00'],
    ['is a date alone', '2026-03-01'],
    ['is a time alone', '12:00:00Z'],
    ['has no seconds', '2026-03-01T12:00Z'],
    ['is on 30 February', '2026-02-30T12:00:00Z'],
    ['is on 29 February of a year that has none', '2026-02-29T12:00:00Z'],
    ['is on 29 February of a century that has none', '1900-02-29T12:00:00Z'],
    ['is on 31 April', '2026-04-31T12:00:00Z'],
    ['is on day 0', '2026-03-00T12:00:00Z'],
    ['is in month 0', '2026-00-01T12:00:00Z'],
    ['is in month 13', '2026-13-01T12:00:00Z'],
    ['is at 24:00', '2026-03-01T24:00:00Z'],
    ['is at minute 60', '2026-03-01T12:60:00Z'],
    ['is at second 60', '2026-06-30T23:59:60Z'],
    ['has an offset of 24 hours', '2026-03-01T12:00:00+24:00'],
    ['has an offset of 60 minutes', '2026-03-01T12:00:00+01:60'],
    ['has an offset without a colon', '2026-03-01T12:00:00+0100'],
    ['has an offset of hours alone', '2026-03-01T12:00:00+01'],
    ['has the name of a zone', '2026-03-01T12:00:00 CET'],
    ['has a space for the T', '2026-03-01 12:00:00Z'],
    ['has a comma for the dot', '2026-03-01T12:00:00,5Z'],
    ['has a dot with nothing behind it', '2026-03-01T12:00:00.Z'],
    ['has a sign before the year', '+002026-03-01T12:00:00Z'],
    ['has a year of two digits', '26-03-01T12:00:00Z'],
    ['is a number of milliseconds', '1772366400000'],
    ['is in words', 'Sun, 01 Mar 2026 12:00:00 GMT'],
    ['is empty', ''],
    ['has a space before it', ' 2026-03-01T12:00:00Z'],
    ['has a line end after it', '2026-03-01T12:00:00Z\n'],
    ['has digits of another script', '２026-03-01T12:00:00Z'],
  ])('is none that %s: %j', (_why, text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })

  test('survives formatting and parsing, from year 1 to year 9999', () => {
    const ms = fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') })
    fc.assert(
      fc.property(ms, (time) => {
        expect(parseTimestamp(formatTimestamp(time))).toBe(time)
      }),
    )
  })

  test('is the same moment with any offset', () => {
    const ms = fc.integer({ min: Date.parse('0001-01-02T00:00:00Z'), max: Date.parse('9999-12-30T23:59:59.999Z') })
    const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
    fc.assert(
      fc.property(ms, offset, (time, minutes) => {
        expect(parseTimestamp(withOffset(time, minutes))).toBe(time)
      }),
    )
  })
})

function withOffset(time: number, minutes: number): string {
  const local = formatTimestamp(time + minutes * 60_000).slice(0, -1)
  const two = (part: number) => String(part).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
