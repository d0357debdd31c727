import { expect, test } from 'vitest'
import { retryDelay } from './retry.ts'

test('what fails is tried again soon, then less and less often, and for ever', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000_000].map(retryDelay)).toEqual([
    250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})
