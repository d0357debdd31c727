import { describe, expect, test } from 'vitest'
import { NOW } from '../../pages/device/testing/examples.ts'
import { axisEnd, boundsOf, rangeFrom, today, withoutRange, withRange } from './period.ts'

const HOUR = 3_600_000
const zone = 'Europe/Tallinn'
const from = (search: string) => rangeFrom(new URLSearchParams(search), zone, '24h')

describe('the range', () => {
  test('is read from the address; an invalid one means 24 hours', () => {
    expect([from(''), from('range=6h'), from('range=constructor'), from('day=2026-11-14'), from('day=soon')]).toEqual([
      { kind: '24h' },
      { kind: '6h' },
      { kind: '24h' },
      { kind: 'day', day: '2026-11-14' },
      { kind: '24h' },
    ])
  })

  test('is written to the address, leaving the rest unchanged', () => {
    const search = new URLSearchParams('datapoint=x&day=2026-11-14')
    expect(String(withRange(search, { kind: '6h' }))).toBe('datapoint=x&range=6h')
    expect(String(withRange(search, { kind: '24h' }))).toBe('datapoint=x&range=24h')
    expect(String(withoutRange(search))).toBe('datapoint=x')
    expect(String(withRange(search, { kind: 'day', day: '2026-01-01' }))).toBe('datapoint=x&day=2026-01-01')
  })

  test('ends now or is a day, which has 23 or 25 hours at clock changes', () => {
    const of = (range: Parameters<typeof boundsOf>[0]) => boundsOf(range, { now: NOW, timeZone: zone })
    expect(of({ kind: '6h' })).toEqual({ from: NOW - 6 * HOUR, to: NOW })
    const hours = (day: string) => {
      const bounds = of({ kind: 'day', day })
      return (bounds.to - bounds.from) / HOUR
    }
    expect([hours('2026-11-14'), hours('2026-03-29'), hours('2026-10-25')]).toEqual([24, 23, 25])
    expect(of({ kind: 'day', day: '2026-11-14' }).from).toBe(Date.parse('2026-11-13T22:00:00Z'))
  })

  test('includes planned overrides, up to half of the range', () => {
    const end = (plannedUntil: number) => axisEnd({ kind: '6h' }, { to: NOW, plannedUntil })
    expect([end(0), end(NOW + HOUR), end(NOW + 20 * HOUR)]).toEqual([NOW, NOW + HOUR, NOW + 3 * HOUR])
    expect(axisEnd({ kind: 'day', day: '2026-11-14' }, { to: NOW, plannedUntil: NOW + HOUR })).toBe(NOW)
  })

  test('uses the date of the site', () => {
    expect(today(Date.parse('2026-11-15T23:00:00Z'), zone)).toBe('2026-11-16')
  })
})
