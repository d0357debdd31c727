import { describe, expect, test } from 'vitest'
import { limitsOf } from './chart-content.ts'
import { limitLines, nearbyLimits } from './limit-lines.ts'
import { type ChartSource, unknownSource } from './sources.ts'

const HOUR = 3_600_000
const start = Date.parse('2026-11-15T00:00:00Z')
const day = { from: start, to: start + 24 * HOUR }
const source = (changes: Partial<ChartSource>): ChartSource => ({ ...unknownSource('device', 'point'), ...changes })
const byHour = Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 18 ? 60 : 90))

describe('limits', () => {
  test('are the commissioned envelope and what the controller enforces', () => {
    const both = source({ envelope: { min: -50, max: 50 }, limits: { min: -50, max: 40 } })
    expect(limitLines(both, day).map(({ kind, steps }) => [kind, steps[0]?.value])).toEqual([
      ['envelope-min', -50],
      ['envelope-max', 50],
      ['limit-min', -50],
      ['limit-max', 40],
    ])
    // Where both are the same, one line says what is enforced.
    expect(limitsOf(both, day).map(({ kind }) => kind)).toEqual(['envelope-max', 'limit-min', 'limit-max'])
    expect(limitLines(source({}), day)).toEqual([])
  })

  test('of peaks may change by the hour of the site', () => {
    const steps = (timeZone: string, period = day) =>
      limitLines(source({ peak: { limitKw: byHour, timeZone } }), period)[0]?.steps.map(({ from, to, value }) => [
        (from - start) / HOUR,
        (to - start) / HOUR,
        value,
      ])
    expect(steps('UTC')).toEqual([
      [0, 8, 90],
      [8, 18, 60],
      [18, 24, 90],
    ])
    expect(steps('Europe/Tallinn')?.[1]).toEqual([6, 16, 60])
    // Half an hour off, and within one step.
    expect(steps('Asia/Kolkata')?.[1]).toEqual([2.5, 12.5, 60])
    expect(steps('UTC', { from: start + 9 * HOUR, to: start + 10 * HOUR })).toEqual([[9, 10, 60]])
  })

  test('of peaks follow the clock on the wall on the day it changes', () => {
    const autumn = { from: Date.parse('2026-10-24T21:00:00Z'), to: Date.parse('2026-10-25T22:00:00Z') }
    const [line] = limitLines(source({ peak: { limitKw: byHour, timeZone: 'Europe/Tallinn' } }), autumn)
    expect(line?.steps.map(({ from, to }) => (to - from) / HOUR)).toEqual([9, 10, 6])
  })

  test('of peaks in a year are their lowest and highest', () => {
    const year = { from: start - 365 * 24 * HOUR, to: start }
    const lines = limitLines(source({ peak: { limitKw: byHour, timeZone: 'UTC' } }), year)
    expect(lines.map(({ steps }) => steps.map(({ value }) => value))).toEqual([[60], [90]])
  })

  test('far from the values do not flatten the line', () => {
    expect(nearbyLimits([100, 25, -50], 10, 20)).toEqual([25])
    expect(nearbyLimits([100, 50], 40, 60)).toEqual([50])
    expect(nearbyLimits([0], 0, 0)).toEqual([0])
  })
})
