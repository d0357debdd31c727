import { describe, expect, test } from 'vitest'
import { intervalStart } from './interval-start.ts'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)
const startOf = (moment: string, seconds: number, timeZone: string) =>
  new Date(intervalStart(at(moment), seconds * 1000, timeZone)).toISOString().slice(0, 16)

/** Lists the lengths in hours of the intervals that begin in a period. */
function lengths(from: string, to: string, seconds: number, timeZone: string): number[] {
  const starts = new Set<number>()
  for (let moment = at(from); moment <= at(to); moment += HOUR / 4) {
    starts.add(intervalStart(moment, seconds * 1000, timeZone))
  }
  const sorted = [...starts]
  return sorted.slice(1).map((start, index) => (start - (sorted[index] ?? 0)) / HOUR)
}

describe('an interval', () => {
  test.each([
    ['2030-01-01T12:34:56Z', 900, 'Asia/Kathmandu', '2030-01-01T12:30'],
    ['2030-01-01T12:34:56Z', 3600, 'Europe/Tallinn', '2030-01-01T12:00'],
    ['2030-01-01T12:34:56Z', 3600, 'Asia/Kolkata', '2030-01-01T12:30'],
    ['2030-01-01T12:34:56Z', 3600, 'Asia/Kathmandu', '2030-01-01T12:15'],
    ['2030-01-01T12:34:56Z', 86_400, 'Europe/Tallinn', '2029-12-31T22:00'],
    ['2030-07-01T22:30:00Z', 86_400, 'Europe/Tallinn', '2030-07-01T21:00'],
    ['1969-12-31T23:59:59Z', 60, 'UTC', '1969-12-31T23:59'],
  ])('at %s of %d s in %s begins at %s', (moment, seconds, timeZone, expected) => {
    expect(startOf(moment, seconds, timeZone)).toBe(expected)
  })

  test('of an hour stays an hour when the clock changes, and longer ones stretch or shrink', () => {
    const [spring, autumn] = [
      ['2030-03-30T22:00Z', '2030-03-31T21:00Z'],
      ['2030-10-26T21:00Z', '2030-10-27T22:00Z'],
    ] as const
    expect(lengths(...spring, 3600, 'Europe/Tallinn')).toEqual(Array(23).fill(1))
    expect(lengths(...autumn, 3600, 'Europe/Tallinn')).toEqual(Array(25).fill(1))
    expect(lengths(...spring, 86_400, 'Europe/Tallinn')).toEqual([23])
    expect(lengths(...autumn, 86_400, 'Europe/Tallinn')).toEqual([25])
    expect(lengths(...autumn, 7200, 'Europe/Tallinn')).toEqual([2, 3, ...Array(10).fill(2)])
  })

  test('of a day may begin when the clock is set forward at midnight', () => {
    expect(lengths('2030-04-25T00:00Z', '2030-04-28T00:00Z', 86_400, 'Africa/Cairo')).toEqual([24, 23, 24])
  })
})
