import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addReading,
  countsForMs,
  type IntervalSummary,
  joinSummaries,
  openInterval,
  summaryOf,
  type TimedValue,
} from './interval.ts'

const LONGEST = 90

function accumulate(readings: readonly TimedValue[], from = 0, longestMs = LONGEST) {
  return readings.reduce((interval, reading) => addReading(interval, reading, longestMs), openInterval(from))
}

function summarize(readings: readonly TimedValue[], to = 100): IntervalSummary | undefined {
  return summaryOf(accumulate(readings), to)
}

describe('a summary of an interval', () => {
  test('weights each value by the time for which it counted', () => {
    expect(
      summarize([
        { at: 0, value: 10 },
        { at: 25, value: 2 },
      ]),
    ).toEqual({ from: 0, to: 100, mean: 4, min: 2, max: 10, last: 2, coverage: 1 })
  })

  test('covers only the time in which the value was known', () => {
    const late = summarize([{ at: 40, value: 3 }])
    expect(late).toMatchObject({ mean: 3, coverage: 0.6 })
    const lost = summarize([
      { at: 0, value: 3 },
      { at: 10, value: null },
      { at: 60, value: 5 },
    ])
    expect(lost).toMatchObject({ mean: 4.6, min: 3, max: 5, last: 5, coverage: 0.5 })
  })

  test('stops counting a value that is not refreshed', () => {
    expect(summarize([{ at: 0, value: 1 }])?.coverage).toBe(0.9)
  })

  test('counts a value for three polls, or for 90 s where polls are quicker', () => {
    expect([1, 30, 60].map(countsForMs)).toEqual([90_000, 90_000, 180_000])
  })

  test('does not exist without a value', () => {
    expect(summarize([])).toBeUndefined()
    expect(summarize([{ at: 10, value: null }])).toBeUndefined()
    expect(summarize([{ at: 10, value: 1 }], 0)).toBeUndefined()
    expect(summarize([{ at: 100, value: 1 }])).toBeUndefined()
  })

  test('takes 0 as a value', () => {
    expect(summarize([{ at: 50, value: 0 }])).toMatchObject({ mean: 0, min: 0, max: 0, last: 0, coverage: 0.5 })
  })

  test('ignores values and times that are not finite', () => {
    const good = { at: 20, value: 1 }
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const among = odd.flatMap((each) => [good, { at: 30, value: each }, { at: each, value: 5 }])
    expect(summarize(among)).toEqual(summarize([good]))
  })

  test('keeps the mean of the largest numbers', () => {
    const huge = summarize([
      { at: 0, value: Number.MAX_VALUE },
      { at: 50, value: -Number.MAX_VALUE },
    ])
    expect(huge?.mean).toBe(0)
  })

  test('counts a moment once when the clock is set back', () => {
    const steppedBack = summarize([
      { at: 50, value: 1 },
      { at: 80, value: 1 },
      { at: 20, value: 9 },
      { at: 60, value: 9 },
      { at: 80, value: 2 },
    ])
    expect(steppedBack).toMatchObject({ mean: 1.4, coverage: 0.5 })
  })

  test('takes over the value from before, as long as it would have counted', () => {
    const first = accumulate([{ at: 80, value: 7 }])
    const second = openInterval(100, first)
    expect(summaryOf(second, 200)).toMatchObject({ mean: 7, last: 7, coverage: 0.7 })
    expect(summaryOf(addReading(second, { at: 150, value: 1 }, LONGEST), 200)).toMatchObject({ mean: 4, coverage: 1 })
    const third = openInterval(200, second)
    expect(summaryOf(third, 300)).toBeUndefined()
  })
})

const readingsArbitrary = fc.array(
  fc.record({
    at: fc.integer({ min: -150, max: 299 }),
    value: fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.constant(null), fc.constant(Number.NaN)),
  }),
  { maxLength: 30 },
)
const runs = { numRuns: 300 }

/** Returns the value that counts in each millisecond, the slow way. */
function valuesByMoment(readings: readonly TimedValue[], from: number, to: number): (number | null)[] {
  const kept = readings.filter(({ value }) => !Number.isNaN(value))
  const inOrder = kept.filter(({ at }, index) => kept.slice(0, index).every((earlier) => earlier.at <= at))
  return Array.from({ length: to - from }, (_, index) => {
    const ruling = inOrder.findLast(({ at }) => at <= from + index)
    return ruling && from + index < ruling.at + LONGEST ? ruling.value : null
  })
}

function expectSame(actual: IntervalSummary | undefined, expected: IntervalSummary | undefined): void {
  if (!actual || !expected) expect(actual).toBe(expected)
  else {
    const { mean, coverage, ...rest } = actual
    expect(rest).toEqual({
      from: expected.from,
      to: expected.to,
      min: expected.min,
      max: expected.max,
      last: expected.last,
    })
    expect(mean).toBeCloseTo(expected.mean, 8)
    expect(coverage).toBeCloseTo(expected.coverage, 10)
  }
}

describe('for all readings, a summary', () => {
  test('equals the sum over every moment', () => {
    fc.assert(
      fc.property(readingsArbitrary, fc.integer({ min: 1, max: 300 }), (readings, to) => {
        const before = readings.filter(({ at }) => at < to)
        const known = valuesByMoment(before, 0, to).filter((value) => value !== null)
        const sum = known.reduce((total, value) => total + value, 0)
        const [min, max, last] = [Math.min(...known), Math.max(...known), known.at(-1) ?? 0]
        const expected = { from: 0, to, mean: sum / known.length, min, max, last, coverage: known.length / to }
        expectSame(summarize(before, to), known.length > 0 ? expected : undefined)
      }),
      runs,
    )
  })

  test('has its mean between minimum and maximum, and a coverage above 0 and up to 1', () => {
    const anyReadings = fc.array(fc.record({ at: fc.maxSafeInteger(), value: fc.option(fc.double()) }))
    fc.assert(
      fc.property(anyReadings, fc.maxSafeInteger(), fc.maxSafeNat(), (readings, to, longest) => {
        const summary = summaryOf(accumulate(readings, 0, longest), to)
        if (!summary) return
        expect(summary.mean).toBeGreaterThanOrEqual(summary.min)
        expect(summary.mean).toBeLessThanOrEqual(summary.max)
        expect(summary.coverage).toBeGreaterThan(0)
        expect(summary.coverage).toBeLessThanOrEqual(1)
      }),
      runs,
    )
  })

  test('is the same when the interval is split and joined again', () => {
    fc.assert(
      fc.property(readingsArbitrary, fc.integer({ min: 1, max: 299 }), (readings, middle) => {
        const inOrder = readings.toSorted((a, b) => a.at - b.at)
        const firstHalf = accumulate(inOrder.filter(({ at }) => at < middle))
        const secondHalf = inOrder
          .filter(({ at }) => at >= middle)
          .reduce((interval, reading) => addReading(interval, reading, LONGEST), openInterval(middle, firstHalf))
        const [a, b] = [summaryOf(firstHalf, middle), summaryOf(secondHalf, 300)]
        const whole = summarize(inOrder, 300)
        const joined = a && b ? joinSummaries(b, a) : a ? { ...a, to: 300 } : b && { ...b, from: 0 }
        if (joined && whole && !(a && b)) joined.coverage = whole.coverage
        expectSame(joined, whole)
      }),
      runs,
    )
  })
})
