export interface Tally {
  passed: number
  failed: number
  skipped: number
}

/** The part of vitest's JSON report that we count. */
export interface CountedTests {
  testResults: readonly { status: string; assertionResults: readonly { status: string }[] }[]
}

/** The part of Playwright's JSON report that we count. */
export interface CountedBrowserTests {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

/**
 * Counts a run of vitest. A failure outside of all tests counts as one: a file that did not load or whose hooks failed, an
 * error that no test caught, a run without a report.
 */
export function tallyTests(report: CountedTests | undefined, exitCode: number | null): Tally {
  const tally = sum((report?.testResults ?? []).map(tallyFile))
  return orFailed(tally, report !== undefined && exitCode === 0)
}

/** Counts a run of Playwright as `tallyTests` does. A test that passed only on a retry counts as failed. */
export function tallyBrowserTests(report: CountedBrowserTests | undefined, exitCode: number | null): Tally {
  const { expected, unexpected, flaky, skipped } = report?.stats ?? { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
  return orFailed({ passed: expected, failed: unexpected + flaky, skipped }, report !== undefined && exitCode === 0)
}

/** Counts an empty run as one failure: the names of the tests were probably misspelt. */
export function failedIfEmpty(tally: Tally): Tally {
  return orFailed(tally, tally.passed + tally.failed + tally.skipped > 0)
}

function orFailed(tally: Tally, ok: boolean): Tally {
  return ok || tally.failed > 0 ? tally : { ...tally, failed: 1 }
}

function tallyFile(file: CountedTests['testResults'][number]): Tally {
  const count = (...statuses: string[]) => file.assertionResults.filter((test) => statuses.includes(test.status)).length
  const passed = count('passed')
  const failed = count('failed')
  return {
    passed,
    failed: file.status === 'failed' ? Math.max(failed, 1) : failed,
    skipped: file.assertionResults.length - passed - failed,
  }
}

export function sum(tallies: readonly Tally[]): Tally {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const tally of tallies) {
    total.passed += tally.passed
    total.failed += tally.failed
    total.skipped += tally.skipped
  }
  return total
}

/** Returns the last line of a run. */
export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
