import { describe, expect, test } from 'vitest'
import { shownValue } from '../../parts/value.ts'
import { fitting, slotValue, timesOf } from './describe-entry.ts'

describe('a value in the calendar', () => {
  test('has its unit, and an offset its sign', () => {
    expect(shownValue(5, 'kW')).toBe('5\u00A0kW')
    expect(shownValue(null, 'kW')).toBe('–')
    const slot = { days: [], from: '', to: '' }
    expect(slotValue({ ...slot, mode: 'offset', value: 2 }, '°C')).toBe('+2\u00A0°C')
    expect(slotValue({ ...slot, mode: 'absolute', value: -2 }, undefined)).toBe('-2')
  })

  test('is shown as a whole or not at all', () => {
    expect(fitting(['50\u00A0kW', '50'], 20)).toBe('50\u00A0kW')
    expect(fitting(['50\u00A0kW', '50'], 5)).toBe('50')
    expect(fitting(['50\u00A0kW', '50'], 1)).toBe('')
  })
})

test('times have their zone, and their day where it differs', () => {
  const day = Date.parse('2026-11-16T00:00:00Z')
  const span = { start: day + 3_600_000, end: day + 30 * 3_600_000 }
  expect(timesOf(span, 'UTC', day)).toEqual({ from: '01:00 UTC', to: '17 Nov 2026, 06:00 UTC' })
  expect(timesOf(span, 'UTC').from).toBe('16 Nov 2026, 01:00 UTC')
})
