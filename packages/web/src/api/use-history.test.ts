import { expect, test } from 'vitest'
import { untilNextLoad } from './use-history.ts'

const NO_ERRORS: ReadonlyMap<string, Error> = new Map()
const point = { at: '2026-11-16T10:00:00.000Z', min: 1, mean: 1, max: 1, last: 1, count: 1, coverage: 100 }
const steps = (...counts: number[]) =>
  new Map(counts.map((count, at) => [`d/${at}`, { step: 60, points: Array(count).fill(point), gaps: [] }]))

test.each([
  ['with values, at its own pace', { steps: steps(2, 1), errors: NO_ERRORS }, 172_000, 172_000],
  ['soon while a datapoint has no values yet', { steps: steps(2, 0), errors: NO_ERRORS }, 172_000, 15_000],
  ['never sooner than its own pace because of that', { steps: steps(0), errors: NO_ERRORS }, 10_000, 10_000],
  ['never when it is over, with or without values', { steps: steps(0), errors: NO_ERRORS }, false, false],
  ['soon after a failure', { steps: steps(1), errors: new Map([['d/1', new Error('gone')]]) }, false, 15_000],
  ['at its own pace before the first answer', undefined, 30_000, 30_000],
] as const)('a period is loaded again %s', (_name, loaded, refreshMs, wait) => {
  expect(untilNextLoad(loaded, refreshMs)).toBe(wait)
})
