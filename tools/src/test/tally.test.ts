import { describe, expect, test } from 'vitest'
import { failedIfEmpty, lastLine, sum, tallyBrowserTests, tallyTests } from './tally.ts'

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
})

describe('a run of the tests', () => {
  test('adds up the tests of all files', () => {
    const report = { testResults: [file('passed', 'passed', 'passed', 'skipped'), file('failed', 'failed', 'passed')] }
    expect(tallyTests(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 1 })
  })

  test('counts a test that did not run as skipped, whatever vitest calls it', () => {
    const report = { testResults: [file('passed', 'skipped', 'pending', 'todo', 'disabled')] }
    expect(tallyTests(report, 0)).toEqual({ passed: 0, failed: 0, skipped: 4 })
  })

  test('counts a file that did not load as one failure', () => {
    const report = { testResults: [file('failed'), file('passed', 'passed')] }
    expect(tallyTests(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  test('counts a file whose hooks failed as one failure', () => {
    const report = { testResults: [file('failed', 'skipped', 'skipped')] }
    expect(tallyTests(report, 1)).toEqual({ passed: 0, failed: 1, skipped: 2 })
  })

  test('counts as failed when vitest fails although every test passed: an error outside of the tests', () => {
    expect(tallyTests({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  test('counts as failed when it was stopped before its report', () => {
    expect(tallyTests(undefined, null)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('counts as failed when it was stopped after its report', () => {
    expect(tallyTests({ testResults: [] }, null)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('may be empty: the names may match browser tests only', () => {
    expect(tallyTests({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })
})

describe('a run of the browser tests', () => {
  const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }

  test('uses the counts of Playwright', () => {
    const report = { stats: { ...stats, expected: 4, unexpected: 2, skipped: 1 } }
    expect(tallyBrowserTests(report, 1)).toEqual({ passed: 4, failed: 2, skipped: 1 })
  })

  test('counts a test that passed only on a retry as failed', () => {
    expect(tallyBrowserTests({ stats: { ...stats, flaky: 1 } }, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('counts listed tests as skipped when there is no browser', () => {
    expect(tallyBrowserTests({ stats: { ...stats, skipped: 9 } }, 0)).toEqual({ passed: 0, failed: 0, skipped: 9 })
  })

  test('counts as failed when Playwright fails although every test passed: the demo did not stop', () => {
    const report = { stats: { ...stats, expected: 3 } }
    expect(tallyBrowserTests(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  })

  test.each([0, 1, null])('counts as failed when it exits with %s and no report', (code) => {
    expect(tallyBrowserTests(undefined, code)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('a whole run', () => {
  test('counts as failed when there was nothing to run', () => {
    expect(failedIfEmpty({ passed: 0, failed: 0, skipped: 0 })).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('keeps its counts when something ran', () => {
    for (const tally of [
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 0, failed: 2, skipped: 0 },
      { passed: 0, failed: 0, skipped: 3 },
    ]) {
      expect(failedIfEmpty(tally)).toEqual(tally)
    }
  })
})

describe('the last line', () => {
  test('states how many tests passed and failed', () => {
    expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  })

  test('states how many were skipped, if any', () => {
    expect(lastLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
  })

  test('covers checks and tests together', () => {
    const tallies = [
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 0, failed: 1, skipped: 0 },
      { passed: 5, failed: 0, skipped: 2 },
    ]
    expect(lastLine(sum(tallies))).toBe('6 passed, 1 failed, 2 skipped')
  })
})
