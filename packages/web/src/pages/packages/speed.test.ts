import { expect, test } from 'vitest'
import { type Mark, speedOf, withMark } from './speed.ts'

test('the speed of an upload is that of its last seconds', () => {
  let marks: Mark[] = []
  for (let second = 0; second <= 60; second += 1) {
    marks = withMark(marks, { at: second * 1000, bytes: second < 50 ? second : 50 + (second - 50) * 1e6 })
  }
  expect(speedOf(marks)).toBe(1e6)
  expect(marks.length).toBeLessThan(10)
})

test('nothing is said of it too early', () => {
  expect(speedOf([])).toBeUndefined()
  expect(speedOf([{ at: 5, bytes: 0 }])).toBeUndefined()
  expect(speedOf(withMark([{ at: 5, bytes: 0 }], { at: 5, bytes: 9 }))).toBeUndefined()
})
