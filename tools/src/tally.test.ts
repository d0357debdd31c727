import { describe, expect, test } from 'vitest'
import { lastLine, orNothing, sum, tallyBrowserTests, tallyTests } from './tally.ts'

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

  test('failed when it was ended after its report: something was left undone', () => {
    expect(tallyTests({ testResults: [] }, null)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('of names that only browser tests have is empty, and that is no failure', () => {
    expect(tallyTests({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })
})

describe('a run of the browser tests', () => {
  const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }

  test('is counted as Playwright counts it', () => {
    const report = { stats: { ...stats, expected: 4, unexpected: 2, skipped: 1 } }
    expect(tallyBrowserTests(report, 1)).toEqual({ passed: 4, failed: 2, skipped: 1 })
  })

  test('counts a test that passed only at the second time as failed', () => {
    expect(tallyBrowserTests({ stats: { ...stats, flaky: 1 } }, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('that only lists its tests, for want of a browser, has skipped them', () => {
    expect(tallyBrowserTests({ stats: { ...stats, skipped: 9 } }, 0)).toEqual({ passed: 0, failed: 0, skipped: 9 })
  })

  test('failed when Playwright says so though every test passed: the demo could not be ended', () => {
    const report = { stats: { ...stats, expected: 3 } }
    expect(tallyBrowserTests(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  })

  test.each([0, 1, null])('failed when it ended with %s and no report', (code) => {
    expect(tallyBrowserTests(undefined, code)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('a run of all', () => {
  test('failed when there was nothing to run', () => {
    expect(orNothing({ passed: 0, failed: 0, skipped: 0 })).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('is what it is when there was something', () => {
    for (const tally of [
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 0, failed: 2, skipped: 0 },
      { passed: 0, failed: 0, skipped: 3 },
    ]) {
      expect(orNothing(tally)).toEqual(tally)
    }
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
