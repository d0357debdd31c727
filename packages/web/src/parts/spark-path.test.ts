import { expect, test } from 'vitest'
import { sparkPath } from './spark-path.ts'

test('draws the highest value at the top and the lowest at the bottom', () => {
  expect(sparkPath([1, 3, 2], 24, 14)).toBe('M2 12L12 2L22 7')
})

test('leaves a gap where values are missing, and starts where they begin', () => {
  expect(sparkPath([null, 1, 2, null, 1, 2], 24, 14)).toBe('M6 12L10 2M18 12L22 2')
})

test('draws a steady value in the middle', () => {
  expect(sparkPath([5, 5], 24, 14)).toBe('M2 7L22 7')
})
