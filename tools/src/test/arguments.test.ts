import { describe, expect, test } from 'vitest'
import { parseTestArguments } from './arguments.ts'

describe('the arguments of plantroom test', () => {
  test('are names of test files', () => {
    expect(parseTestArguments(['overrides', 'e2e/browser'])).toEqual({
      help: false,
      names: ['overrides', 'e2e/browser'],
      forVitest: [],
    })
  })

  test('belong to vitest after --, including options', () => {
    expect(parseTestArguments(['kill', '--', '--project', 'e2e'])).toEqual({
      help: false,
      names: ['kill'],
      forVitest: ['--project', 'e2e'],
    })
  })

  test('may be empty, even after --', () => {
    expect(parseTestArguments([])).toEqual({ help: false, names: [], forVitest: [] })
    expect(parseTestArguments(['--'])).toEqual({ help: false, names: [], forVitest: [] })
  })

  test('with --changed are one base commit at most', () => {
    expect(parseTestArguments(['--changed'])).toMatchObject({ names: [], changed: { base: undefined } })
    expect(parseTestArguments(['--changed', 'HEAD~3'])).toMatchObject({ names: [], changed: { base: 'HEAD~3' } })
    expect(() => parseTestArguments(['--changed', 'main', 'overrides'])).toThrow('unexpected argument overrides')
    expect(() => parseTestArguments(['--changed', '--', '--bail=1'])).toThrow('no arguments for vitest')
  })

  test('with an unknown option are refused', () => {
    expect(() => parseTestArguments(['--fast'])).toThrow("'--fast'")
  })
})
