import { parseArgs } from 'node:util'
import { describe, expect, test } from 'vitest'
import { optionProblem } from './option-problem.ts'

const OPTIONS = {
  json: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  'cancel-overrides': { type: 'boolean' },
} as const

describe('the options of a command line', () => {
  test.each([
    [['--jsno'], 'unknown option --jsno (did you mean --json?)'],
    [['--cancel_override'], 'unknown option --cancel_override (did you mean --cancel-overrides?)'],
    [['--Json'], 'unknown option --Json (did you mean --json?)'],
    [['--loud'], 'unknown option --loud'],
    [['--__proto__'], 'unknown option --__proto__'],
    [['-x'], 'unknown option -x'],
    [['--json=yes'], '--json takes no value, but has yes'],
    [['a', '--output'], '--output needs a value'],
    [['-o'], '-o needs a value'],
    [
      ['--output', '--json'],
      '--output needs a value before --json; a value that begins with a dash is written --output=--json',
    ],
  ])('%j: %s', (args, problem) => {
    expect(optionProblem(args, OPTIONS)).toBe(problem)
  })

  test.each([[[]], [['a', '--json', '-o', 'b']], [['--output=-1']], [['--output', '-']], [['--', '--loud', '-x']]])(
    '%j have no problem, also for a strict parser',
    (args) => {
      expect(optionProblem(args, OPTIONS)).toBeUndefined()
      expect(() => parseArgs({ args, options: OPTIONS, allowPositionals: true })).not.toThrow()
    },
  )
})
