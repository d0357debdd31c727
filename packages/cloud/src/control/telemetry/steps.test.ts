import { describe, expect, test } from 'vitest'
import { createSteps } from './aggregate.ts'
import { toSteps } from './steps.ts'

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

  test('with too many points is refused, with a step that would do', () => {
    const year = { from: START, to: START + 365 * DAY_MS }
    expect(() => toSteps(year, { step: 60 })).toThrow(
      'step: 60 makes 525600 points of this period, and an answer has at most 5000: ask for a step of 7200 or a shorter period',
    )
  })
})

describe('the points of steps', () => {
  const of = (...values: number[]) => {
    const steps = createSteps(1000)
    for (const value of values) steps.addValue(5500, value)
    return steps.points()
  }

  test('have the lowest, mean and highest value, weighted by count', () => {
    const steps = createSteps(1000)
    steps.addValue(5001, 10)
    steps.addAggregate(5000, { count: 3, min: -1, max: 4, scaledSum: 6 * 2 ** -32 })
    expect(steps.points()).toEqual([{ at: 5000, min: -1, mean: 4, max: 10, count: 4 }])
  })

  test('are finite for the largest values, and not outside them for the smallest', () => {
    expect(of(1.7e308, 1.7e308)).toEqual([{ at: 5000, min: 1.7e308, mean: 1.7e308, max: 1.7e308, count: 2 }])
    expect(of(5e-324)).toMatchObject([{ mean: 5e-324 }])
    expect(of(...Array.from({ length: 10 }, () => 0.1))).toMatchObject([{ min: 0.1, mean: 0.1, max: 0.1 }])
  })
})
