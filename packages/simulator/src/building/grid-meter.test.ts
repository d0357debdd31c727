import { describe, expect, test } from 'vitest'
import type { MeterFaults } from '../faults.ts'
import { advance, type Building, newBuilding } from './building.ts'

/** What the meter showed and what flowed, for each second. */
function watch(faults: MeterFaults, seconds = 60): { shown: number; flowed: number }[] {
  let building: Building = advance(newBuilding(1), 120)
  building = { ...building, faults: { meter: faults } }
  return Array.from({ length: seconds }, () => {
    building = advance(building, 1)
    return { shown: building.meter.shown.powerKw, flowed: building.grid.powerKw }
  })
}

describe('the meter at the grid connection', () => {
  test('shows what flows', () => {
    for (const { shown, flowed } of watch({})) expect(shown).toBe(flowed)
  })

  test('that is late shows what flowed that long ago', () => {
    const seen = watch({ late: 10_000 })
    for (const [second, { shown }] of seen.entries()) {
      if (second >= 10) expect(shown).toBe(seen[second - 10]?.flowed)
    }
    expect(seen.length).toBe(60)
  })

  test('that reports in steps stays at each value', () => {
    const seen = watch({ every: 15_000 }, 61).slice(1)
    for (let from = 0; from < 60; from += 15) {
      expect(new Set(seen.slice(from, from + 15).map(({ shown }) => shown)).size).toBeLessThanOrEqual(2)
    }
    expect(new Set(seen.map(({ shown }) => shown)).size).toBeGreaterThanOrEqual(4)
  })

  test('that is frozen stays at its last value, and shows the present one when it thaws', () => {
    const seen = watch({ frozen: 1 })
    expect(new Set(seen.map(({ shown }) => shown)).size).toBe(1)
    let building: Building = { ...newBuilding(1), faults: { meter: { frozen: 1 } } }
    building = advance({ ...advance(building, 60), faults: {} }, 1)
    expect(building.meter.shown).toEqual(building.grid)
  })

  test('whose wires are swapped counts in the other direction', () => {
    for (const { shown, flowed } of watch({ reversed: 1 })) expect(shown).toBe(-flowed)
  })
})
