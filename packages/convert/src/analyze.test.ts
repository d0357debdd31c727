import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { analyzeSource } from './convert.ts'
import { csv } from './sources/csv/index.ts'
import { problemsOf, writeTable } from './testing/converted.ts'

const HEADER = ['ID', 'Title', 'Created']
const GOOD = ['1', '2', '3', '4', '5'].map((id) => [id, 'a', '2026-04-03'])
const analyze = (rows: readonly (readonly string[])[], signal?: AbortSignal) =>
  analyzeSource(csv, [writeTable(temporaryFolder(), [HEADER, ...rows])], { signal })

test('the analysis of a source with mistakes names those of its form and of its values', async () => {
  expect(await problemsOf(analyze([...GOOD, ['6', 'b', '30.02.2026'], ['7', 'c']]))).toEqual([
    expect.stringMatching(/^row 8: Created: the row has 2 of 3 cells/),
    'row 7: Created: 30.02.2026 is not a date; correct it, or map the column to description+',
  ])
})

test('the analysis of a source whose values alone are wrong leaves them to the conversion', async () => {
  const { records, source, mapping } = await analyze([...GOOD, ['6', 'b', '30.02.2026']])
  expect([records, source, mapping.columns.Created]).toEqual([6, 'csv', 'createdAt'])
})

test('an analysis can be aborted', async () => {
  await expect(analyze(GOOD, AbortSignal.abort())).rejects.toThrow('aborted')
})
