import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { interruption } from './interruption.ts'
import { runCommand } from './run-command.ts'
import { start } from './start.ts'
import { describeOutcome, installed, ROOT, runSteps, STEPS } from './steps.ts'
import { bringSystemPrograms } from './system-programs.ts'
import { lastLine, sum, type Tally, type TestReport, tallyTests } from './tally.ts'

const HELP = `Usage: plantroom test [NAME ...] [-- VITEST-ARGUMENT ...]

Runs all that must hold: the checks of 'plantroom check', then the unit and end-to-end tests.
Installs missing programs of the system where apt-get and root are there; elsewhere the tests
that need them are skipped. The last line is 'N passed, N failed' (', N skipped').

  NAME    only test files whose path contains it
  --help  this text

Examples:
  plantroom test overrides
  plantroom test -- --project e2e
`

const LIMIT_MS = 25 * 60_000

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const signal = interruption(LIMIT_MS)

  for (const program of await bringSystemPrograms(signal)) {
    console.log(`missing: ${program.name} (Debian package ${program.debianPackage}); tests that need it are skipped`)
  }
  const outcomes = await runSteps(STEPS, signal, (outcome) => console.log(describeOutcome(outcome)))
  const checked = outcomes.map(({ ok }) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }))
  const total = sum([...checked, await runTests(positionals, signal)])

  if (signal.aborted) console.error(`plantroom test: ${(signal.reason as Error).message}: not everything was run`)
  console.log(lastLine(total))
  return total.failed === 0 ? 0 : 1
}

async function runTests(args: readonly string[], signal: AbortSignal): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-test-'))
  try {
    const report = join(folder, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const { code } = await runCommand(installed('vitest', 'run', ...reporters, ...args), {
      cwd: ROOT,
      signal,
      show: true,
      // Vitest writes colours into files and pipes too.
      env: process.stdout.isTTY ? {} : { NO_COLOR: '1' },
    })
    return tallyTests(readReport(report), code)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Vitest writes its report at the end of a run: there is none when it did not come that far. */
function readReport(path: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as TestReport
  } catch {
    return undefined
  }
}

await start('test', main)
