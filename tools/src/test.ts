import { parseArgs } from 'node:util'
import { interruption } from './interruption.ts'
import { runCommand } from './run-command.ts'
import { start } from './start.ts'
import { describeOutcome, installed, ROOT, runSteps, STEPS } from './steps.ts'
import { bringSystemPrograms } from './system-programs.ts'
import { lastLine, orNothing, sum, type Tally, type TestReport, tallyTests } from './tally.ts'
import { splitArguments } from './test-arguments.ts'
import { runBrowserTests } from './test-browser.ts'
import { withReport } from './test-report.ts'

const HELP = `Usage: plantroom test [NAME ...] [-- VITEST-ARGUMENT ...]

Runs all that must hold: the checks of 'plantroom check', then the unit, end-to-end and browser
tests. Installs missing programs of the system where apt-get and root are there; elsewhere the
tests that need them are skipped. The last line is 'N passed, N failed' (', N skipped').

  NAME             only test files whose path contains it
  VITEST-ARGUMENT  handed on; the browser tests, which are not vitest's, are not run then
  --help           this text

Examples:
  plantroom test overrides
  plantroom test e2e/browser
  plantroom test -- --project e2e
`

// Below what a run is given from outside, so that there is always a last line.
const LIMIT_MS = 45 * 60_000

async function main(): Promise<number> {
  const { values, tokens } = parseArgs({
    options: { help: { type: 'boolean' } },
    allowPositionals: true,
    tokens: true,
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const { names, forVitest } = splitArguments(tokens)
  const signal = interruption(LIMIT_MS)

  for (const program of await bringSystemPrograms(signal)) {
    console.log(`missing: ${program.name} (Debian package ${program.debianPackage}); tests that need it are skipped`)
  }
  const outcomes = await runSteps(STEPS, signal, (outcome) => console.log(describeOutcome(outcome)))
  const checked = outcomes.map(({ ok }) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }))
  const tested = [await runVitest([...names, ...forVitest], signal)]
  if (forVitest.length === 0) tested.push(await runBrowserTests(names, signal))
  const total = sum([...checked, orNothing(sum(tested))])

  if (signal.aborted) console.error(`plantroom test: ${(signal.reason as Error).message}: not everything was run`)
  console.log(lastLine(total))
  return total.failed === 0 ? 0 : 1
}

async function runVitest(args: readonly string[], signal: AbortSignal): Promise<Tally> {
  const { report, result } = await withReport<TestReport, number | null>(async (path) => {
    // A name may be one of a browser test alone.
    const options = ['--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
    const { code } = await runCommand(installed('vitest', 'run', ...options, ...args), {
      cwd: ROOT,
      signal,
      show: true,
      // Vitest writes colours into files and pipes too.
      env: process.stdout.isTTY ? {} : { NO_COLOR: '1' },
    })
    return code
  })
  return tallyTests(report, result)
}

await start('test', main)
