import { describe, expect, test } from 'vitest'
import {
  appendPoint,
  breakAfter,
  foldPoints,
  lastAtOrBefore,
  mergePoints,
  NO_POINTS,
  pointsWithin,
  summarize,
  sumPoints,
  withBreaks,
} from './points.ts'

const points = (...pairs: [number, number][]) => ({
  at: pairs.map(([at]) => at),
  value: pairs.map(([, value]) => value),
  low: pairs.map(([, value]) => value),
  high: pairs.map(([, value]) => value),
  count: pairs.map(() => 1),
})

describe('points', () => {
  test('are appended once and in order', () => {
    const one = appendPoint(NO_POINTS, 10, 1)
    expect(one).toEqual(points([10, 1]))
    expect(appendPoint(one, 10, 2)).toBe(one)
    expect(appendPoint(one, 9, 2)).toBe(one)
    expect(appendPoint(one, 11, 2)).toEqual(points([10, 1], [11, 2]))
  })

  test('from the archive end where its last step does; live ones follow', () => {
    const archived = points([10, 1], [20, 2])
    const live = points([15, 7], [25, 8], [30, 9])
    expect(mergePoints(archived, live, 30)).toEqual(points([10, 1], [20, 2], [30, 9]))
    expect(mergePoints(archived, live, 31)).toBe(archived)
    expect(mergePoints(NO_POINTS, live, 0)).toBe(live)
  })

  test('are cut to a period, both ends inclusive', () => {
    const line = points([10, 1], [20, 2], [30, 3])
    expect(pointsWithin(line, 10, 30)).toEqual(line)
    expect(pointsWithin(line, 11, 20)).toEqual(points([20, 2]))
    expect(pointsWithin(line, 31, 99)).toEqual(NO_POINTS)
  })
})

describe('a line', () => {
  test('has a gap after a long silence', () => {
    const line = { ...points([0, 1], [1000, 2], [60_000, 3]), low: [0, 1, 2], high: [9, 8, 7] }
    const [seconds, values, highest, lowest] = withBreaks(line, 30_000)
    expect([values, highest, lowest]).toEqual([
      [1, 2, null, 3],
      [9, 8, null, 7],
      [0, 1, null, 2],
    ])
    expect(seconds).toEqual([0, 1, 1.001, 60])
  })

  test('has a gap when two values in a row are missing', () => {
    expect(breakAfter(60)).toBe(90_000)
    expect(breakAfter(1)).toBe(30_000)
    expect(breakAfter(0)).toBe(30_000)
    expect(breakAfter(60, 3600)).toBe(5_400_000)
  })

  test('is empty without points', () => expect(withBreaks(NO_POINTS, 1)).toEqual([[], [], [], []]))

  test('handles a day of seconds', () => {
    const at = Array.from({ length: 86_400 }, (_, second) => second * 1000)
    const day = points(...at.map((ms): [number, number] => [ms, Math.sin(ms)]))
    expect(withBreaks(mergePoints(day, points([86_400_000, 1]), 86_400_000), 30_000)[0]).toHaveLength(86_401)
    expect(summarize(day)?.count).toBe(86_400)
  })
})

describe('a summary', () => {
  test('has the lowest, highest and last value', () => {
    expect(summarize(points([1, 5], [2, -3], [3, 4]))).toEqual({ count: 3, min: -3, max: 5, last: 4, lastAt: 3 })
    const steps = { ...points([1, 5], [2, 4]), low: [1, -2], high: [6, 9], count: [60, 30] }
    expect(summarize(steps)).toEqual({ count: 90, min: -2, max: 9, last: 4, lastAt: 2 })
    expect(summarize(NO_POINTS)).toBeUndefined()
  })
})

describe('longer steps', () => {
  test('have the mean by the number of values, the lowest and the highest', () => {
    const fine = { at: [0, 1000, 2500], value: [1, 3, 9], low: [0, 2, 9], high: [2, 8, 9], count: [3, 1, 1] }
    expect(foldPoints(fine, 2000)).toEqual({ at: [0, 2000], value: [1.5, 9], low: [0, 9], high: [8, 9], count: [4, 1] })
    expect(foldPoints(NO_POINTS, 2000)).toEqual(NO_POINTS)
  })
})

describe('a sum', () => {
  test('exists where every part has a value', () => {
    expect(sumPoints([points([0, 1], [10, 2], [20, 3]), points([0, 5], [20, 7], [30, 9])])).toMatchObject({
      at: [0, 20],
      value: [6, 10],
    })
    const only = points([0, 1])
    expect(sumPoints([only])).toBe(only)
    expect(sumPoints([])).toEqual(NO_POINTS)
    expect(sumPoints([only, NO_POINTS]).at).toEqual([])
  })
})

test('finds the point of a moment', () => {
  expect([9, 10, 15, 20, 99].map((time) => lastAtOrBefore([10, 20], time))).toEqual([-1, 0, 0, 1, 1])
})
