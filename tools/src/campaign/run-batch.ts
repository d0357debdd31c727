import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../run-command.ts'
import { installed, ROOT } from '../steps.ts'
import { BROWSER_CONFIG } from '../test/browser.ts'
import type { Campaign } from './campaigns.ts'
import type { BatchResult, Violation } from './run-campaigns.ts'

/** A line that the testkit's `repetitions.ts` writes. */
interface RunRecord {
  readonly runs: number
  readonly violatedBy?: number
}

const OUTPUT_LINES = 60
const BROWSER_TESTS = 'e2e/browser'

/** Runs the tests of a campaign in vitest, with the seed and the runs in the environment that the testkit reads. */
export async function runBatch(
  campaign: Campaign,
  { seed, from, devices }: { seed: number; from: number; devices: number | undefined },
  signal: AbortSignal,
): Promise<BatchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-campaign-'))
  const records = join(folder, 'records')
  try {
    const isInBrowser = campaign.files.every((file) => file.startsWith(BROWSER_TESTS))
    const command = isInBrowser
      ? installed('playwright', 'test', `--config=${BROWSER_CONFIG}`, '--reporter=dot')
      : installed('vitest', 'run', '--reporter=dot', ...campaign.files)
    const { code, output } = await runCommand(command, {
      cwd: ROOT,
      signal,
      env: {
        NO_COLOR: '1',
        PLANTROOM_TEST_SEED: String(seed),
        PLANTROOM_TEST_FROM: String(from),
        PLANTROOM_TEST_RUNS: String(campaign.batch),
        PLANTROOM_TEST_RECORDS: records,
        ...campaign.environment,
        ...(devices !== undefined && { PLANTROOM_TEST_DEVICES: String(devices) }),
      },
    })
    const text = readText(records)
    return signal.aborted ? interrupted(text) : judgeBatch(text, { ok: code === 0, output, from })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The tests of a campaign that has nothing to repeat write no records: that some passed is one run. */
const SOME_PASSED = / [1-9]\d{0,8} passed\b/

/** What tests print about a program of others that is not there. */
const SKIPPED = /^skipped: .+$/gm

/** Counts the records of a batch. A failure without a violation in the records counts as one violation, in the first run. */
export function judgeBatch(records: string, batch: { ok: boolean; output: string; from: number }): BatchResult {
  const { runs: recorded, violatedBy } = count(records)
  const runs = recorded === 0 && SOME_PASSED.test(batch.output) ? 1 : recorded
  const message = batch.output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n')
  const failed = batch.ok ? [] : violatedBy.length > 0 ? violatedBy : [batch.from]
  // The output describes all violations of the batch: print it once.
  const violations = failed.map((run, index): Violation => ({ run, message: index === 0 ? message : '' }))
  return { runs, violations, skipped: batch.output.match(SKIPPED) ?? [] }
}

/** Tests that were killed have failed, but not because a property was violated. */
function interrupted(records: string): BatchResult {
  return { runs: count(records).runs, violations: [], skipped: [] }
}

function count(records: string): { runs: number; violatedBy: number[] } {
  const lines = records.split('\n').filter((line) => line.endsWith('}'))
  const parsed = lines.map((line) => JSON.parse(line) as RunRecord)
  return {
    runs: parsed.reduce((sum, { runs }) => sum + runs, 0),
    violatedBy: parsed.flatMap(({ violatedBy }) => violatedBy ?? []),
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
