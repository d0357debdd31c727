import { describe, expect, test } from 'vitest'
import { aWindow, NOW } from '../testing/examples.ts'
import { axisLabels } from './axis-labels.ts'
import type { Band } from './bands.ts'
import { bandWords, chartSummary } from './chart-words.ts'

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

describe('a chart in words', () => {
  test('has how many values, the lowest, the highest, the last, and how often it was held', () => {
    expect(chartSummary({ count: 1440, min: -3, max: 20, last: 5, lastAt: NOW }, 1, 'UTC')).toBe(
      '1,440 values: lowest -3, highest 20, last 5 at 15 Nov 2026, 12:00:00 UTC. 1 hold in this time.',
    )
    expect(chartSummary(undefined, 0, 'UTC')).toBe('No value in this time. Nobody held it in this time.')
  })

  test('says of each hold who, at what, when, and who placed it', () => {
    expect(bandWords(band, [aWindow()], when)).toBe(
      'Demand response at 20, 12:00 UTC to 13:00 UTC, placed by Grid partner',
    )
    expect(bandWords({ ...band, by: 'peak-shaving', value: null, overrideId: null, isOpen: true }, [], when)).toBe(
      'Peak shaving, since 12:00 UTC',
    )
    expect(bandWords({ ...band, isOpen: true, until: NOW + 60_000 }, [], when)).toBe(
      'Demand response at 20, since 12:00 UTC, until 12:01 UTC',
    )
    expect(bandWords({ ...band, isPlanned: true }, [], when)).toBe(
      'Demand response at 20, 12:00 UTC to 13:00 UTC, planned',
    )
  })
})

test('the axis has the clocks of the site, and the day where it changes', () => {
  const hours = [20, 21, 22].map((hour) => Date.parse(`2026-11-15T${hour}:00:00Z`) / 1000)
  expect(axisLabels(hours, 3600, 'Europe/Tallinn')).toEqual(['22:00\n15 Nov', '23:00', '00:00\n16 Nov'])
  expect(axisLabels([NOW / 1000 + 5], 1, 'UTC')).toEqual(['12:00:05\n15 Nov'])
})
