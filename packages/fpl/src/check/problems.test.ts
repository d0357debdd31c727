import { expect, test } from 'vitest'
import { BOUNDS } from '../limits.ts'
import { createProblemList, problemAt } from './problems.ts'

test('a problem list describes only the problems it keeps', () => {
  const list = createProblemList()
  let described = 0
  for (let index = 0; index < BOUNDS.problemsInReport + 5; index += 1) {
    list.add(() => {
      described += 1
      return problemAt(`tickets[${index}]`, 'must be an object', null)
    })
  }
  expect(list.count).toBe(10_005)
  expect(list.kept.length).toBe(10_000)
  expect(described).toBe(10_000)
  expect(list.kept.at(-1)?.message).toBe('tickets[9999]: null must be an object')
})
