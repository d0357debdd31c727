import { expect, test } from 'vitest'
import { refuseProblems } from './refuse-problems.ts'

const problems = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `settings.a${index}`, message: 'is wrong' }))

test('a connection without problems passes', () => {
  expect(() => refuseProblems([])).not.toThrow()
})

test('the problems of a connection are listed, and counted beyond the first 20', () => {
  expect(() => refuseProblems(problems(2))).toThrow(
    expect.objectContaining({ kind: 'invalid', message: 'settings.a0: is wrong; settings.a1: is wrong' }),
  )
  expect(() => refuseProblems(problems(20))).toThrow(/settings\.a19: is wrong$/)
  expect(() => refuseProblems(problems(50_000))).toThrow(/settings\.a19: is wrong; and 49980 more$/)
})
