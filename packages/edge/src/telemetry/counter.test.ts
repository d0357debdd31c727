import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addCount, type CounterRules, NEW_COUNTER } from './counter.ts'

const RULES: CounterRules = { ranges: [65_536], mostPerHour: 10_000, longestMs: 90_000 }

/** Reads these values, one a minute, and returns what was counted. */
function count(values: readonly (number | null)[], rules = RULES): number | undefined {
  const readings = values.map((value, minute) => ({ at: minute * 60_000, value }))
  return readings.reduce((counter, reading) => addCount(counter, reading, rules), NEW_COUNTER).risen
}

describe('a counter', () => {
  test('counts what it rises from the first reading on', () => {
    expect(count([])).toBeUndefined()
    expect(count([100])).toBeUndefined()
    expect(count([100, 100])).toBe(0)
    expect(count([100, 101, 103.5])).toBe(3.5)
  })

  test.each([
    ['its register', [65_530, 65_535, 2], 8],
    ['a power of ten', [99_999.5, 0.25], 0.75],
    ['a power of ten that is its last value', [9_990, 10_000, 3], 13],
  ])('counts on when it starts again after the end of %s', (_, values, expected) => {
    expect(count(values)).toBeCloseTo(expected, 9)
  })

  test('counts nothing when the meter is exchanged, and then what the new one counts', () => {
    expect(count([5_000, 0, 1])).toBe(1)
    expect(count([60_000, 17, 18])).toBe(1)
    expect(count([10, 54_321, 54_322])).toBe(1)
  })

  test('counts no wrong reading', () => {
    expect(count([5_000, 0, 5_001])).toBe(1)
    expect(count([5_000, 0, 0, 5_001, 5_002])).toBe(2)
    expect(count([5_000, null, Number.NaN, 5_001])).toBeUndefined()
    expect(count([5_000, Number.NaN, 5_001], { ...RULES, longestMs: 120_000 })).toBe(1)
  })

  test('counts nothing over a gap, and ignores late readings', () => {
    const read = (...readings: [number, number][]) =>
      readings.reduce((counter, [at, value]) => addCount(counter, { at, value }, RULES), NEW_COUNTER).risen
    expect(read([0, 1], [60_000, 2], [600_000, 50], [660_000, 51])).toBe(2)
    expect(read([0, 1], [60_000, 2], [30_000, 9], [70_000, 3])).toBe(2)
  })

  test('never counts a negative or absurd amount', () => {
    const value = fc.oneof(fc.integer({ min: -10, max: 100_000 }), fc.double(), fc.constant(null))
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const counted = count(values) ?? 0
        expect(counted).toBeGreaterThanOrEqual(0)
        expect(counted).toBeLessThanOrEqual(values.length * RULES.mostPerHour)
      }),
    )
  })

  test('counts the same however the readings of a running meter are spread over registers', () => {
    const rises = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(rises, fc.integer({ min: 0, max: 65_535 }), (each, start) => {
        let total = start
        const values = [start]
        for (const rise of each) {
          total += rise
          values.push(total % 65_536)
        }
        expect(count(values)).toBe(each.reduce((sum, rise) => sum + rise, 0))
      }),
    )
  })
})
