import { describe, expect, test } from 'vitest'
import { createSteps, newAggregate } from './aggregate.ts'
import { stepFinder, toSteps } from './steps.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 1)

describe('a period in steps', () => {
  test.each([
    [1500, 60_000 * 60, 5],
    [1500, DAY_MS, 60],
    [1000, 7 * DAY_MS, 900],
    [1000, 30 * DAY_MS, 3600],
    [1000, 365 * DAY_MS, 43_200],
    [5000, 365 * DAY_MS, 7200],
    [2, 365 * DAY_MS, 500 * 86_400],
  ])('of at most %i points over %i ms takes steps of %i s', (points, length, step) => {
    expect(toSteps({ from: START, to: START + length }, { points }).step).toBe(step)
  })

  test('is widened to whole steps, and still has no more points than asked for', () => {
    const period = { from: START + 1, to: START + DAY_MS + 1 }
    expect(toSteps(period, { step: 3600 })).toEqual({ from: START, to: START + DAY_MS + 3_600_000, step: 3600 })
    expect(toSteps(period, { points: 24 })).toEqual({ from: START, to: START + DAY_MS + 7_200_000, step: 7200 })
  })

  test('may be empty, or all time that can be written', () => {
    expect(toSteps({ from: START, to: START - 1 }, { step: 1 })).toMatchObject({ step: 1 })
    const always = { from: 0, to: Date.parse('9999-12-31T23:59:59.999Z') }
    expect(toSteps(always, { points: 2 }).to).toBeGreaterThanOrEqual(always.to)
  })

  test.each([
    ['2030-03-30T22:00Z', 23],
    ['2030-10-26T21:00Z', 25],
  ])('of whole days begins at midnight of the site: the day from %s has %d hours', (midnight, hours) => {
    const from = Date.parse(midnight)
    const period = toSteps({ from: from + 1, to: from + 26 * 3_600_000 }, { step: 86_400 }, 'Europe/Tallinn')
    const [end, next] = [from + hours * 3_600_000, from + (hours + 24) * 3_600_000]
    expect(period).toEqual({ from, to: next, step: 86_400, starts: [from, end, next] })
    expect(stepFinder(period)(end - 1)).toEqual({ start: from, end })
    expect(stepFinder(period)(end)).toEqual({ start: end, end: next })
  })

  test('with too many points is refused, with a step that would do', () => {
    const year = { from: START, to: START + 365 * DAY_MS }
    expect(() => toSteps(year, { step: 60 })).toThrow(
      'step: 60 makes 525600 points of this period, and an answer has at most 5000: ask for a step of 7200 or a shorter period',
    )
  })
})

describe('the points of steps', () => {
  const of = (...values: number[]) => {
    const steps = createSteps(stepFinder({ step: 1 }))
    for (const value of values) steps.addValue(5500, value, null)
    return steps.points()
  }

  test('have the lowest, mean and highest value, weighted by count', () => {
    const steps = createSteps(stepFinder({ step: 1 }))
    steps.addValue(5001, 10, null)
    const sum = { count: 3, samples: 3, min: -1, max: 4, scaledSum: 6 * 2 ** -32 }
    steps.addAggregate(5000, { ...newAggregate(), ...sum, last: 4, lastAt: 5900 })
    expect(steps.points()).toEqual([{ at: 5000, min: -1, mean: 4, max: 10, last: 4, count: 4, coverage: null }])
  })

  test('weight means of intervals by the time that they cover, and say how much that is', () => {
    const quarter = { seconds: 900, mean: 10, min: 0, max: 20, coverage: 100 }
    const steps = createSteps(stepFinder({ step: 3600 }))
    steps.addValue(900_000, 1, { ...quarter, energyKwh: 2.5 })
    steps.addValue(1_800_000, 2, { ...quarter, mean: 20, coverage: 50, energyKwh: 2.5 })
    steps.addValue(3_600_000, 3, { ...quarter, min: 5, max: 30, coverage: 50 })
    steps.addValue(4_500_000, 4, quarter)
    expect(steps.points()).toEqual([
      { at: 0, min: 0, mean: 12.5, max: 30, last: 3, count: 3, coverage: 50, energyKwh: 5 },
      { at: 3_600_000, min: 0, mean: 10, max: 20, last: 4, count: 1, coverage: 25 },
    ])
  })

  test('shorter than their intervals are covered by the interval that begins in them', () => {
    const steps = createSteps(stepFinder({ step: 60 }))
    steps.addValue(900_000, 1, { seconds: 900, mean: 1, min: 1, max: 1, coverage: 80 })
    expect(steps.points()).toMatchObject([{ at: 0, coverage: 80 }])
  })

  test('with a sample among them are samples', () => {
    const steps = createSteps(stepFinder({ step: 3600 }))
    steps.addValue(900_000, 1, { seconds: 900, mean: 2, min: 1, max: 3, coverage: 100 })
    steps.addValue(1_800_000, 4, null)
    expect(steps.points()).toMatchObject([{ min: 1, mean: 3, max: 4, last: 4, count: 2, coverage: null }])
  })

  test('are finite for the largest values, and not outside them for the smallest', () => {
    const largest = { min: 1.7e308, mean: 1.7e308, max: 1.7e308, last: 1.7e308, count: 2, coverage: null }
    expect(of(1.7e308, 1.7e308)).toEqual([{ at: 5000, ...largest }])
    expect(of(5e-324)).toMatchObject([{ mean: 5e-324 }])
    expect(of(...Array.from({ length: 10 }, () => 0.1))).toMatchObject([{ min: 0.1, mean: 0.1, max: 0.1 }])
  })
})
