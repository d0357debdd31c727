import { describe, expect, test } from 'vitest'
import { comparisonFrom, daysBefore, movedByDays, movedPoints, withComparison } from './compare.ts'

const zone = 'Europe/Tallinn'
const at = (text: string) => Date.parse(text)
const from = (search: string) => comparisonFrom(new URLSearchParams(search))

test('a comparison is in the address', () => {
  expect([from(''), from('compare=7'), from('compare=2026-11-01'), from('compare=-1'), from('compare=x')]).toEqual([
    undefined,
    { daysBefore: 7 },
    { day: '2026-11-01' },
    undefined,
    undefined,
  ])
  const search = new URLSearchParams('show=x&compare=7')
  expect(String(withComparison(search, { day: '2026-11-01' }))).toBe('show=x&compare=2026-11-01')
  expect(String(withComparison(search, undefined))).toBe('show=x')
})

test('a chosen day is some days before or after the chart, by the calendar of the site', () => {
  // 23:00 UTC is the next day in Tallinn.
  const period = { from: at('2026-11-14T23:00:00Z'), to: at('2026-11-15T23:00:00Z') }
  const days = (day: string) => daysBefore({ day }, period, zone)
  expect([days('2026-11-14'), days('2026-11-15'), days('2026-11-20'), days('0001-01-01')]).toEqual([
    1,
    undefined,
    -5,
    undefined,
  ])
  // A clock change lies between them.
  expect(days('2026-10-15')).toBe(31)
})

describe('across a clock change', () => {
  test('the clock on the wall shows the same', () => {
    // 25 October 2026: 04:00 EEST becomes 03:00 EET.
    expect(movedByDays(at('2026-10-25T10:00:00Z'), -1, zone)).toBe(at('2026-10-24T09:00:00Z'))
    expect(movedByDays(at('2026-10-24T09:00:30.500Z'), 1, zone)).toBe(at('2026-10-25T10:00:30.500Z'))
    expect(movedByDays(at('2026-03-28T10:00:00Z'), 1, zone)).toBe(at('2026-03-29T09:00:00Z'))
  })

  test('points stay in order, and of an hour that comes twice one is kept', () => {
    const hours = Array.from({ length: 26 }, (_, hour) => at('2026-10-24T21:00:00Z') + hour * 3_600_000)
    const points = { at: hours, value: hours.map((_, hour) => hour), low: [], high: [], count: [] }
    const moved = movedPoints(points, 1, zone)
    expect(moved.at).toEqual(moved.at.toSorted((a, b) => a - b))
    expect(new Set(moved.at).size).toBe(moved.at.length)
    expect(moved.at).toHaveLength(25)
    // Noon on both days.
    expect(moved.value[moved.at.indexOf(at('2026-10-26T10:00:00Z'))]).toBe(13)
  })
})
