export interface Tally {
  passed: number
  failed: number
  skipped: number
}

/** The part of vitest's JSON report that is counted. */
export interface TestReport {
  testResults: readonly { status: string; assertionResults: readonly { status: string }[] }[]
}

/**
 * Counts a run of vitest. A failure that no test stands for counts as one: a file that could not be
 * loaded or whose hooks failed, an error outside of all tests, a run without a test or a report.
 */
export function tallyTests(report: TestReport | undefined, exitCode: number | null): Tally {
  const files = report?.testResults ?? []
  const tally = sum(files.map(tallyFile))
  const none = tally.passed + tally.failed + tally.skipped === 0
  if (tally.failed === 0 && (exitCode !== 0 || none)) tally.failed = 1
  return tally
}

function tallyFile(file: TestReport['testResults'][number]): Tally {
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

/** The last line of a run. */
export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
