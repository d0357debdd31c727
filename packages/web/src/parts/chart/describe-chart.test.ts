import { describe, expect, test } from 'vitest'
import { anOverride, NOW } from '../../pages/device/testing/examples.ts'
import type { Band } from './bands.ts'
import { axisLabels, describeAt, describeBand, describeHolds, describeLimit, describeValues } from './describe-chart.ts'

const band: Band = {
  from: NOW,
  to: NOW + 3_600_000,
  by: 'demand-response',
  value: 20,
  overrideId: 'w1',
  isOpen: false,
  isPlanned: false,
}
const when = { timeZone: 'UTC', now: NOW }

describe('the text of a chart', () => {
  test('has the number of values, the lowest, the highest and the last, with their unit', () => {
    expect(describeValues({ count: 1440, min: -3, max: 20, last: 5, lastAt: NOW }, 'kW', 'UTC')).toBe(
      '1,440 values: lowest -3\u00A0kW, highest 20\u00A0kW, last 5\u00A0kW at 15 Nov 2026, 12:00:00 UTC.',
    )
    expect(describeValues(undefined, 'kW', 'UTC')).toBe('No values in this period.')
    expect([describeHolds(0), describeHolds(1)]).toEqual(['No holds in this period.', '1 hold in this period.'])
  })

  test('lists each hold with its writer, value, period and who placed it', () => {
    expect(describeBand(band, 'kW', [anOverride()], when)).toBe(
      'Demand response at 20\u00A0kW · 12:00 UTC to 13:00 UTC · Placed by Grid partner',
    )
    const peak = { ...band, by: 'peak-shaving' as const, value: null, overrideId: null, isOpen: true }
    expect(describeBand(peak, 'kW', [], when)).toBe('Peak shaving · Since 12:00 UTC')
    expect(describeBand({ ...band, isOpen: true, until: NOW + 60_000 }, undefined, [], when)).toBe(
      'Demand response at 20 · Since 12:00 UTC, until 12:01 UTC',
    )
    expect(describeBand({ ...band, isPlanned: true }, undefined, [], when)).toBe(
      'Demand response at 20 · 12:00 UTC to 13:00 UTC · Planned',
    )
  })

  test('names limits, with their datapoint where there are several', () => {
    const step = { from: 0, to: 1, value: 90 }
    expect(describeLimit({ kind: 'peak', steps: [step] }, 'kW')).toBe('Peak limit 90\u00A0kW')
    expect(describeLimit({ kind: 'peak', steps: [step, { ...step, value: 60 }] }, 'kW', 'Meter')).toBe(
      'Meter: Peak limit 60\u00A0kW to 90\u00A0kW, by the hour',
    )
  })
})

describe('the value under the pointer', () => {
  const points = { at: [NOW, NOW + 60_000], value: [20.123_456, 5], low: [1, 5], high: [30, 5], count: [60, 1] }
  const at = (time: number) => describeAt(points, time, { unit: 'kW', timeZone: 'UTC', breakMs: 90_000 })

  test('is the last one before it, with the lowest and the highest of its step', () => {
    expect(at(NOW + 59_000)).toBe('15 Nov 2026, 12:00:00 UTC: 20.12\u00A0kW (1\u00A0kW to 30\u00A0kW)')
    expect(at(NOW + 61_000)).toBe('15 Nov 2026, 12:01:00 UTC: 5\u00A0kW')
  })

  test('is none in a gap', () => {
    expect(at(NOW + 200_000)).toBe('15 Nov 2026, 12:03:20 UTC: no value')
    expect(at(NOW - 1)).toContain('no value')
  })
})

test('labels the axis in the time zone of the site, with the day where it changes', () => {
  const hours = [20, 21, 22].map((hour) => Date.parse(`2026-11-15T${hour}:00:00Z`) / 1000)
  expect(axisLabels(hours, 3600, 'Europe/Tallinn')).toEqual(['22:00\n15 Nov', '23:00', '00:00\n16 Nov'])
  expect(axisLabels([NOW / 1000 + 5], 1, 'UTC')).toEqual(['12:00:05\n15 Nov'])
  expect(axisLabels([NOW / 1000], 86_400, 'UTC')).toEqual(['15 Nov'])
  expect(axisLabels([NOW / 1000], 30 * 86_400, 'UTC')).toEqual(['Nov 2026'])
})
