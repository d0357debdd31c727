import { expect, test } from 'vitest'
import { retryDelay } from './retry.ts'

const FAILURES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000_000]

test('a refused write is retried soon, then less and less often, without end', () => {
  expect(FAILURES.map((failures) => retryDelay(failures))).toEqual([
    250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})

test('a write over a link that is down is retried every 5 s at the latest', () => {
  expect(FAILURES.map((failures) => retryDelay(failures, true))).toEqual([
    250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000, 5000,
  ])
})
