import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One run of the tests: it ends with the signal, and gathers descriptions of what failed. */
export interface Run {
  signal: AbortSignal
  failures: string[]
}

/**
 * Calls `run` with a path for a JSON report and reads the report afterwards. Test runners write it at the end: it is
 * missing when the run did not get that far.
 */
export async function withReport<Report, Result>(
  run: (path: string) => Promise<Result>,
): Promise<{ report: Report | undefined; result: Result }> {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-test-'))
  try {
    const path = join(folder, 'report.json')
    const result = await run(path)
    return { report: read<Report>(path), result }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function read<Report>(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  }
}
