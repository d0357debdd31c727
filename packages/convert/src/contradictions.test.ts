import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { createContradictions } from './contradictions.ts'
import { converted } from './testing/converted.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')
const HEADER = ['ID', 'Title', 'Status', 'Created', 'Resolved']

const found = async (rows: readonly (readonly string[])[]) => {
  const { result } = await converted(temporaryFolder(), [HEADER, ...rows], {}, { now: NOW })
  return result.contradictions?.map(({ code, count, values }) => [code, count, values])
}

test('requests that fit together have none', async () => {
  expect(
    await found([
      ['1', 'a', 'Open', '2026-01-01', ''],
      ['2', 'b', 'Done', '2026-01-01', '2026-01-02'],
    ]),
  ).toBeUndefined()
})

test('what does not fit together is counted, with examples', async () => {
  expect(
    await found([
      ['1', 'a', 'Open', '2026-01-01', '2026-01-02'],
      ['2', 'b', 'Done', '2026-01-01', ''],
      ['3', 'c', 'Done', '2026-01-03', '2026-01-02'],
      ['4', 'd', 'Open', '', ''],
      ['5', 'e', 'Open', '2027-01-03', ''],
      ['6', '', 'Open', '2026-01-03', ''],
    ]),
  ).toEqual([
    ['open-but-resolved', 1, ['row 2']],
    ['done-without-date', 1, ['row 3']],
    ['resolved-before-created', 1, ['row 4']],
    ['undated', 1, ['row 5']],
    ['future-dates', 1, ['row 6']],
    ['titles-of-fields', 1, ['row 7']],
  ])
})

test('more than 20 requests of one state are suspicious', async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => [`${index}`, 'a', 'Open', '2026-01-01', ''])
  expect(await found(rows(20))).toBeUndefined()
  expect(await found(rows(21))).toEqual([['one-state', 21, undefined]])
})

test('done requests without a date are normal where no request has one', async () => {
  expect(await found([['1', 'a', 'Done', '2026-01-01', '']])).toBeUndefined()
})

test('at most five examples are kept', () => {
  const contradictions = createContradictions()
  for (let row = 1; row < 10; row += 1) contradictions.look(`row ${row}`, { state: 'open', isTitleOfField: false })
  expect(contradictions.found()).toEqual([
    {
      code: 'undated',
      count: 9,
      values: ['row 1', 'row 2', 'row 3', 'row 4', 'row 5'],
      text: 'Without a date of creation: 9 (for example row 1, row 2, row 3, row 4, row 5).',
    },
  ])
})
