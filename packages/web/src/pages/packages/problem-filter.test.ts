import { expect, test } from 'vitest'
import { filterProblems, occurring, type ProblemFilter, shownProblems } from './problem-filter.ts'

const problem = (row: number | null, externalId: string | null, path: string, value: string | null, rule: string) => ({
  ...{ row, externalId, path, value, rule },
})
const PROBLEMS = shownProblems([
  problem(null, null, 'manifest', 'foo', 'must not have unknown field'),
  problem(1, 'A-1', 'tickets[0].state', 'odd', 'must be one of: new'),
  problem(12, 'A (]-12', 'tickets[11] (externalId A (]-12)', null, 'duplicate externalId'),
  problem(
    12,
    'A (]-12',
    'tickets[11] (externalId A (]-12).attachments[3].path',
    'attachments/x',
    'is not in the package',
  ),
  problem(13, null, 'tickets[12].comments[0].author.email', 'x', 'is not a valid email'),
  problem(13, null, 'tickets[12].comments[7].author.email', 'y', 'is not a valid email'),
])
const NONE: ProblemFilter = { search: '', kind: null, rule: null }
const keys = (filter: Partial<ProblemFilter>) => filterProblems(PROBLEMS, { ...NONE, ...filter }).map(({ key }) => key)

test('the field of a problem is its path inside the request', () => {
  expect(PROBLEMS.map(({ field }) => field)).toEqual([
    'manifest',
    'state',
    '',
    'attachments[3].path',
    'comments[0].author.email',
    'comments[7].author.email',
  ])
})

test('problems are found by number, text, field and rule', () => {
  expect(keys({})).toHaveLength(6)
  expect(keys({ search: ' 12 ' })).toEqual(['2', '3', '4', '5'])
  expect(keys({ search: '1' })).toEqual(expect.arrayContaining(['1']))
  expect(keys({ search: 'ODD' })).toEqual(['1'])
  expect(keys({ kind: 'comments.author.email' })).toEqual(['4', '5'])
  expect(keys({ rule: 'is not a valid email', search: 'y' })).toEqual(['5'])
  expect(keys({ search: 'nowhere' })).toEqual([])
})

test('the choices of a filter are what occurs, the most frequent first', () => {
  expect(occurring(PROBLEMS.map(({ kind }) => kind))).toEqual([
    'comments.author.email',
    'manifest',
    'state',
    'attachments.path',
  ])
})
