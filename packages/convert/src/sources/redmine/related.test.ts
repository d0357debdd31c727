import { expect, test } from 'vitest'
import { fieldsOf } from '../../json/fields.ts'
import { createProblemList } from '../../problems.ts'
import { relationsOf, subtasksOf } from './related.ts'

const relation = (relation_type: string, rest: object = {}) => ({
  relation_type,
  issue_id: 1,
  issue_to_id: 2,
  ...rest,
})
const relationsAs = (id: string, ...relations: object[]) =>
  relationsOf(fieldsOf({ relations }, 'issue 1', createProblemList()), id)

test.each([
  ['relates', 'relates'],
  ['duplicates', 'duplicated'],
  ['duplicated', 'duplicates'],
  ['blocks', 'blocked'],
  ['blocked', 'blocks'],
  ['precedes', 'follows'],
  ['follows', 'precedes'],
  ['copied_to', 'copied_from'],
  ['copied_from', 'copied_to'],
  ['of a plugin', 'of a plugin'],
])('1 %s 2 is also 2 %s 1', (type, inverse) => {
  expect(relationsAs('1', relation(type))).toEqual([`${type} #2`])
  expect(relationsAs('2', relation(type))).toEqual([`${inverse} #1`])
})

test('a relation says its days', () => {
  const relations = [1, 2].map((delay) => relation('precedes', { delay }))
  expect(relationsAs('1', ...relations)).toEqual(['precedes #2 (1 day)', 'precedes #2 (2 days)'])
})

test('subtasks come with their own', () => {
  const children = [{ id: 3, subject: 'Replace the gasket', children: [{ id: 4 }] }, { subject: 'Fill' }]
  const issue = fieldsOf({ children }, 'issue 1', createProblemList())
  expect(subtasksOf(issue)).toEqual(['#3 Replace the gasket', '#4', '# Fill'])
})
