import { describe, expect, test } from 'vitest'
import { anOverride, NOW } from '../../pages/device/testing/examples.ts'
import type { Band } from './bands.ts'
import { axisLabels, describeBand, describeChart } from './describe-chart.ts'

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
  test('has the number of values, the lowest, the highest, the last and the number of holds', () => {
    expect(describeChart({ count: 1440, min: -3, max: 20, last: 5, lastAt: NOW }, 1, 'UTC')).toBe(
      '1,440 values: lowest -3, highest 20, last 5 at 15 Nov 2026, 12:00:00 UTC. 1 hold in this period.',
    )
    expect(describeChart(undefined, 0, 'UTC')).toBe('No values in this period. No holds in this period.')
  })

  test('lists each hold with its writer, value, period and who placed it', () => {
    expect(describeBand(band, [anOverride()], when)).toBe(
      'Demand response at 20 · 12:00 UTC to 13:00 UTC · Placed by Grid partner',
    )
    expect(describeBand({ ...band, by: 'peak-shaving', value: null, overrideId: null, isOpen: true }, [], when)).toBe(
      'Peak shaving · Since 12:00 UTC',
    )
    expect(describeBand({ ...band, isOpen: true, until: NOW + 60_000 }, [], when)).toBe(
      'Demand response at 20 · Since 12:00 UTC, until 12:01 UTC',
    )
    expect(describeBand({ ...band, isPlanned: true }, [], when)).toBe(
      'Demand response at 20 · 12:00 UTC to 13:00 UTC · Planned',
    )
  })
})

test('labels the axis in the time zone of the site, with the day where it changes', () => {
  const hours = [20, 21, 22].map((hour) => Date.parse(`2026-11-15T${hour}:00:00Z`) / 1000)
  expect(axisLabels(hours, 3600, 'Europe/Tallinn')).toEqual(['22:00\n15 Nov', '23:00', '00:00\n16 Nov'])
  expect(axisLabels([NOW / 1000 + 5], 1, 'UTC')).toEqual(['12:00:05\n15 Nov'])
  expect(axisLabels([NOW / 1000], 86_400, 'UTC')).toEqual(['15 Nov'])
})
