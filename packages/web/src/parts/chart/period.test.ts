import { describe, expect, test } from 'vitest'
import { NOW } from '../../pages/device/testing/examples.ts'
import {
  axisEnd,
  boundsOf,
  historyPeriod,
  panned,
  rangeFrom,
  today,
  withoutRange,
  withRange,
  withZoom,
  zoomed,
  zoomFrom,
} from './period.ts'

const HOUR = 3_600_000
const zone = 'Europe/Tallinn'
const from = (search: string) => rangeFrom(new URLSearchParams(search), zone, '24h')
const PERIOD = 'from=2026-11-15T10%3A00%3A00.000Z&to=2026-11-15T12%3A00%3A00.000Z'
const period = { from: NOW - 2 * HOUR, to: NOW }

describe('the range', () => {
  test('is read from the address; an invalid one means 24 hours', () => {
    expect([from(''), from('range=6h'), from('range=constructor'), from('day=2026-11-14'), from('day=soon')]).toEqual([
      { kind: '24h' },
      { kind: '6h' },
      { kind: '24h' },
      { kind: 'day', day: '2026-11-14' },
      { kind: '24h' },
    ])
    expect(from(PERIOD)).toEqual({ kind: 'own', ...period })
  })

  test('of one’s own must be a period', () => {
    const own = (start: string, end: string) => from(`from=${start}&to=${end}`).kind
    expect(own('2026-11-15', '2026-11-15')).toBe('24h')
    expect(own('2026-11-16', '2026-11-15')).toBe('24h')
    expect(own('1900-01-01', '2026-11-15')).toBe('24h')
    expect(own('soon', '2026-11-15')).toBe('24h')
    expect(own('0001-01-01', '9999-11-15')).toBe('24h')
  })

  test('is written to the address, leaving the rest unchanged', () => {
    const search = new URLSearchParams('datapoint=x&day=2026-11-14')
    expect(String(withRange(search, { kind: '6h' }))).toBe('datapoint=x&range=6h')
    expect(String(withRange(search, { kind: '24h' }))).toBe('datapoint=x&range=24h')
    expect(String(withoutRange(search))).toBe('datapoint=x')
    expect(String(withRange(search, { kind: 'day', day: '2026-01-01' }))).toBe('datapoint=x&day=2026-01-01')
    expect(String(withRange(search, { kind: 'own', ...period }))).toBe(`datapoint=x&${PERIOD}`)
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

describe('a zoom', () => {
  const search = new URLSearchParams('show=x')

  test('is in the address beside its range, which a reset brings back', () => {
    const zoomedIn = withZoom(search, { kind: '7d' }, period)
    expect(String(zoomedIn)).toBe(`show=x&range=7d&${PERIOD}`)
    expect(zoomFrom(zoomedIn)).toEqual(period)
    expect(rangeFrom(zoomedIn, zone, '24h')).toEqual({ kind: '7d' })
    expect(String(withZoom(zoomedIn, { kind: '7d' }, undefined))).toBe('show=x&range=7d')
    expect(zoomFrom(new URLSearchParams(PERIOD))).toBeUndefined()
  })

  test('of a hold keeps the hold', () => {
    const held = new URLSearchParams('show=x&hold=2026-11-15T10:00:00Z')
    const zoomedIn = withZoom(held, { kind: 'own', ...period }, period)
    expect(zoomedIn.get('hold')).toBe('2026-11-15T10:00:00Z')
    expect(zoomFrom(zoomedIn)).toEqual(period)
    expect(String(withZoom(zoomedIn, { kind: 'own', ...period }, undefined))).toBe(String(held))
  })

  test('keeps the moment under the pointer, and ends at ten seconds and at twenty years', () => {
    expect(zoomed(period, 0.5)).toEqual({ from: NOW - 1.5 * HOUR, to: NOW - 0.5 * HOUR })
    expect(zoomed(period, 0.5, 0)).toEqual({ from: NOW - 2 * HOUR, to: NOW - HOUR })
    expect(zoomed(period, 0.5, 1)).toEqual({ from: NOW - HOUR, to: NOW })
    const shortest = zoomed(period, 1e-9)
    expect(shortest.to - shortest.from).toBe(10_000)
    const longest = zoomed(period, 1e9, 1)
    expect((longest.to - longest.from) / (366 * 24 * HOUR)).toBe(20)
  })

  test('moves, but not into a future without any past', () => {
    expect(panned(period, -0.5, NOW)).toEqual({ from: NOW - 3 * HOUR, to: NOW - HOUR })
    const later = panned(panned(period, 0.5, NOW), 5, NOW)
    expect(later.from).toBeLessThan(NOW)
    expect(later.to - later.from).toBe(2 * HOUR)
    expect(panned({ from: HOUR, to: 2 * HOUR }, -5, NOW).from).toBe(0)
  })
})

describe('the period to load', () => {
  const load = (range: Parameters<typeof boundsOf>[0], zoom?: typeof period) =>
    historyPeriod({ range, zoom, timeZone: zone, now: () => NOW })

  test('keeps its key while it moves with the time', () => {
    let now = NOW
    const rolling = historyPeriod({ range: { kind: '1h' }, zoom: undefined, timeZone: zone, now: () => now })
    now += HOUR
    expect(rolling).toMatchObject({ key: '1h', refreshMs: 10_000 })
    expect(rolling.bounds()).toEqual({ from: NOW, to: NOW + HOUR })
    expect(load({ kind: '365d' }).refreshMs).toBe(300_000)
  })

  test('is loaded once when it has passed', () => {
    expect(load({ kind: '7d' }, { from: NOW - 3 * HOUR, to: NOW - HOUR }).refreshMs).toBe(false)
    expect(load({ kind: 'day', day: '2026-11-14' }).refreshMs).toBe(false)
    expect(load({ kind: 'day', day: '2026-11-15' }).refreshMs).toBe(30_000)
    expect(load({ kind: '7d' }, period).bounds()).toEqual(period)
  })
})
