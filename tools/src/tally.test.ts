import { describe, expect, test } from 'vitest'
import { lastLine, sum, tallyTests } from './tally.ts'

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
})

describe('a run of the tests', () => {
  test('is counted test by test, over all files', () => {
    const report = { testResults: [file('passed', 'passed', 'passed', 'skipped'), file('failed', 'failed', 'passed')] }
    expect(tallyTests(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 1 })
  })

  test('counts a test that was not run as skipped, whatever vitest calls it', () => {
    const report = { testResults: [file('passed', 'skipped', 'pending', 'todo', 'disabled')] }
    expect(tallyTests(report, 0)).toEqual({ passed: 0, failed: 0, skipped: 4 })
  })

  test('counts a file that could not be loaded as one failure', () => {
    const report = { testResults: [file('failed'), file('passed', 'passed')] }
    expect(tallyTests(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  test('counts a file whose hooks failed as one failure', () => {
    const report = { testResults: [file('failed', 'skipped', 'skipped')] }
    expect(tallyTests(report, 1)).toEqual({ passed: 0, failed: 1, skipped: 2 })
  })

  test('failed when vitest says so though every test passed: an error was caught by none of them', () => {
    expect(tallyTests({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  test('failed when it was ended before its end', () => {
    expect(tallyTests(undefined, null)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('failed when there was nothing to run', () => {
    expect(tallyTests({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('the last line', () => {
  test('says how many passed and failed', () => {
    expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  })

  test('adds the skipped ones when there are some', () => {
    expect(lastLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
  })

  test('is about checks and tests together', () => {
    const tallies = [
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 0, failed: 1, skipped: 0 },
      { passed: 5, failed: 0, skipped: 2 },
    ]
    expect(lastLine(sum(tallies))).toBe('6 passed, 1 failed, 2 skipped')
  })
})
