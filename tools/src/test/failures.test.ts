import { describe, expect, test } from 'vitest'
import { browserFailuresOf, failuresOf } from './failures.ts'

describe('the end of the output', () => {
  const failed = {
    status: 'failed',
    fullName: 'a hold ends',
    failureMessages: ['Error: \u001b[31mtoo late\u001b[39m\n\n  at x'],
  }
  const passed = { status: 'passed', fullName: 'a hold begins', failureMessages: [] }

  test('names failed tests with their file and message, without colors', () => {
    const report = { testResults: [{ name: 'holds.test.ts', status: 'failed', assertionResults: [passed, failed] }] }
    expect(failuresOf(report)).toEqual(['FAILED holds.test.ts > a hold ends\n  Error: too late\n    at x'])
  })

  test('names a file that did not load', () => {
    const report = {
      testResults: [{ name: 'a.test.ts', status: 'failed', message: 'no such file', assertionResults: [] }],
    }
    expect(failuresOf(report)).toEqual(['FAILED a.test.ts\n  no such file'])
  })

  test('keeps the beginning of a long message', () => {
    const message = Array.from({ length: 500 }, (_, n) => `line ${n}`).join('\n')
    const [text] = failuresOf({ testResults: [{ name: 'a', status: 'failed', message, assertionResults: [] }] })
    expect(text?.split('\n').slice(1)).toEqual(Array.from({ length: 12 }, (_, n) => `  line ${n}`))
  })

  test('names failed browser tests, also those in blocks, and errors outside of tests', () => {
    const spec = (title: string, ok: boolean, message?: string) => ({
      file: 'home.test.ts',
      line: 7,
      title,
      ok,
      tests: [{ results: [{ errors: message === undefined ? [] : [{ message }] }] }],
    })
    const block = { specs: [spec('shows it', false, 'not visible'), spec('hides it', true)] }
    const report = { suites: [{ specs: [], suites: [block] }], errors: [{ message: 'no browser' }] }
    expect(browserFailuresOf(report)).toEqual([
      'FAILED home.test.ts:7 > shows it\n  not visible',
      'FAILED the browser tests\n  no browser',
    ])
  })
})
