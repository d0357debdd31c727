import { parseArgs } from 'node:util'
import { expect, test } from 'vitest'
import { splitArguments } from './test-arguments.ts'

const split = (...args: string[]) => splitArguments(parseArgs({ args, allowPositionals: true, tokens: true }).tokens)

test('what is named is a name', () => {
  expect(split('overrides', 'e2e/browser')).toEqual({ names: ['overrides', 'e2e/browser'], forVitest: [] })
})

test('what stands behind -- is for vitest, options and all', () => {
  expect(split('kill', '--', '--project', 'e2e')).toEqual({ names: ['kill'], forVitest: ['--project', 'e2e'] })
})

test('nothing is nothing, also behind --', () => {
  expect(split()).toEqual({ names: [], forVitest: [] })
  expect(split('--')).toEqual({ names: [], forVitest: [] })
})
