import { expect, test } from 'vitest'
import { delayAfter } from './delays.ts'

test('waits the delay of the attempt, longer or shorter by up to a fifth', () => {
  const delays = [1_000, 60_000]
  const after = (attempts: number) => [0, 0.5, 0.75, 1].map((random) => delayAfter(delays, attempts, () => random))
  expect(after(1)).toEqual([800, 1_000, 1_100, 1_200])
  expect(after(2)).toEqual([48_000, 60_000, 66_000, 72_000])
})

test('does not wait after the last attempt', () => {
  expect(delayAfter([1_000, 60_000], 3)).toBeUndefined()
})
