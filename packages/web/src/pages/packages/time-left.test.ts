import { expect, test } from 'vitest'
import { paceOf, timeLeft } from './time-left.ts'

const progress = (stage: string, done: number) => ({ stage, done, total: 100 })

test('the time left follows from the pace of the stage', () => {
  let pace = paceOf(undefined, progress('importing', 10), 0)
  expect(timeLeft(pace)).toBeUndefined()
  pace = paceOf(pace, progress('importing', 20), 2000)
  expect(timeLeft(pace)).toBeUndefined()
  pace = paceOf(pace, progress('importing', 30), 4000)
  expect(timeLeft(pace)).toBe(14_000)
  pace = paceOf(pace, progress('importing', 100), 9000)
  expect(timeLeft(pace)).toBe(0)
})

test('another stage, a new attempt and a job that waits begin anew', () => {
  const pace = paceOf(paceOf(undefined, progress('comparing', 0), 0), progress('comparing', 50), 5000)
  expect(timeLeft(pace)).toBe(5000)
  expect(timeLeft(paceOf(pace, progress('importing', 60), 6000))).toBeUndefined()
  expect(timeLeft(paceOf(pace, progress('comparing', 10), 6000))).toBeUndefined()
  expect(paceOf(pace, null, 6000)).toBeUndefined()
  expect(timeLeft(undefined)).toBeUndefined()
})
