import { globSync } from 'node:fs'
import { interruption } from './interruption.ts'
import { runCommand } from './run-command.ts'
import { start, UsageError } from './start.ts'
import { describeOutcome, installed, ROOT, runSteps, STEPS } from './steps.ts'
import { installSystemPrograms } from './system-programs.ts'
import { HELP, parseTestArguments } from './test/arguments.ts'
import { browserTests, filesNamed, runBrowserTests } from './test/browser.ts'
import { affectedTests, baseCommit, changedFiles } from './test/changed-tests.ts'
import { type FailedTests, failuresOf } from './test/failures.ts'
import { fastFolder } from './test/fast-folder.ts'
import { type Run, withReport } from './test/report.ts'
import { type CountedTests, failedIfEmpty, lastLine, sum, type Tally, tallyTests } from './test/tally.ts'

// Shorter than the limits of CI systems, so that there is always a last line. A run takes 15 to 21 minutes on two cores.
const LIMIT_MS = 28 * 60_000

async function main(): Promise<number> {
  const { help, names, forVitest, changed } = parseTestArguments(process.argv.slice(2))
  if (help) {
    process.stdout.write(HELP)
    return 0
  }
  const base = changed && resolveBase(changed.base)
  const signal = interruption(LIMIT_MS)
  const run: Run = { signal, failures: [] }

  for (const program of await installSystemPrograms(signal)) {
    console.log(`missing: ${program.name} (Debian package ${program.debianPackage}); tests that need it are skipped`)
  }
  await using folder = await fastFolder()
  process.env.TMPDIR = folder.path
  const outcomes = await runSteps(STEPS, signal, (outcome) => console.log(describeOutcome(outcome)))
  const checked = outcomes.map(({ ok }) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }))
  const tested =
    base !== undefined
      ? await runChangedTests(base, run)
      : failedIfEmpty(
          forVitest.length > 0 ? await runVitest([...names, ...forVitest], run) : await runTests(names, run),
        )
  const total = sum([...checked, tested])

  if (signal.aborted) console.error(`plantroom test: ${(signal.reason as Error).message}: some tests did not run`)
  // Again at the end, the part that CI systems keep.
  for (const outcome of outcomes) if (!outcome.ok) console.log(describeOutcome(outcome))
  for (const failure of run.failures) console.log(failure)
  console.log(lastLine(total))
  return total.failed === 0 ? 0 : 1
}

async function runTests(names: readonly string[], run: Run): Promise<Tally> {
  return runTogether(['--project', 'unit*', ...names], { e2e: names, browser: filesNamed(browserTests(), names) }, run)
}

/**
 * Runs the browser tests, which take turns at one demo, beside the unit tests. The end-to-end tests, which often wait, follow
 * the browser tests.
 */
async function runTogether(
  unit: readonly string[],
  { e2e, browser }: { e2e: readonly string[] | undefined; browser: readonly string[] },
  run: Run,
): Promise<Tally> {
  const others = async () => {
    const first = await runBrowserTests(browser, run)
    return e2e ? sum([first, await runVitest(['--project', 'e2e', ...e2e], run)]) : first
  }
  return sum(await Promise.all([runVitest(unit, run), others()]))
}

async function runChangedTests(base: string, run: Run): Promise<Tally> {
  const changed = changedFiles(ROOT, base)
  console.log(`${changed.length} changed files since ${base.slice(0, 10)}`)
  const all = [...globSync('e2e/*.test.ts', { cwd: ROOT }).sort(), ...browserTests()]
  const { e2e, browser } = affectedTests(changed, all)
  const unit = ['--project', 'unit*', '--changed', base]
  return runTogether(unit, { e2e: e2e.length === 0 ? undefined : e2e, browser }, run)
}

function resolveBase(base: string | undefined): string {
  try {
    return baseCommit(ROOT, base)
  } catch {
    throw new UsageError(`${base ?? 'HEAD'} is not a commit: give a branch, a tag or a hash`)
  }
}

async function runVitest(args: readonly string[], { signal, failures }: Run): Promise<Tally> {
  const { report, result } = await withReport<CountedTests & FailedTests, number | null>(async (path) => {
    // The names may match tests of another run only.
    const options = ['--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
    const { code } = await runCommand(installed('vitest', 'run', ...options, ...args), {
      cwd: ROOT,
      signal,
      show: true,
      // Vitest uses colours even in files and pipes.
      env: process.stdout.isTTY ? {} : { NO_COLOR: '1' },
    })
    return code
  })
  if (report) failures.push(...failuresOf(report))
  return tallyTests(report, result)
}

await start('test', main)
