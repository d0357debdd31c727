import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCoverage } from './coverage.ts'
import { findMutants } from './mutants.ts'
import { createSmallCopy } from './testing/small-copy.ts'

const SOURCE = `export const sum = () => one() + two()
export function one() { return 11 }
export function two() { return 22 }
export function three() { return 33 }
export const limit = 44
`
const testOf = (name: string, value: number) =>
  `import { expect, test } from 'vitest'\nimport { ${name} } from './source.ts'\ntest('is right', () => expect(${name}()).toBe(${value}))`

test('tests judge the mutants in what they run, and a test that fails without a mutant ends the campaign', {
  timeout: 120_000,
}, async () => {
  const { copy, runner, signal } = createSmallCopy({
    'source.ts': SOURCE,
    'one.test.ts': testOf('one', 11),
    'sum.test.ts': testOf('sum', 33),
    'wrong.test.ts': testOf('two', 23),
  })
  const coverage = createCoverage(['source.ts'], { copy, runner, signal })
  const tests = ['one.test.ts', 'sum.test.ts']
  await coverage.measure(tests)
  const judges = (before: string) => {
    const mutant = findMutants('source.ts', SOURCE).find((each) => each.before === before)
    return mutant && coverage.testsAt(mutant, tests).toSorted()
  }
  expect(['11', '22', '33', '44'].map(judges)).toEqual([tests, ['sum.test.ts'], [], tests])
  expect(coverage.durationOf(tests)).toBeGreaterThan(0)
  expect(readFileSync(join(copy.folder, 'source.ts'), 'utf8')).toBe(SOURCE)

  await expect(coverage.measure(['wrong.test.ts'])).rejects.toThrow(
    'without a mutant, wrong.test.ts fails: is right: expected 22 to be 23',
  )
  expect(readFileSync(join(copy.folder, 'source.ts'), 'utf8')).toBe(SOURCE)
})
