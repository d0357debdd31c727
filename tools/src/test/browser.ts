import { globSync } from 'node:fs'
import { runCommand } from '../run-command.ts'
import { installed, ROOT } from '../steps.ts'
import { CHROMIUM, missingOf, WHOLE_CHROMIUM } from '../system-programs.ts'
import { browserFailuresOf, type FailedBrowserTests } from './failures.ts'
import { type Run, withReport } from './report.ts'
import { type CountedBrowserTests, type Tally, tallyBrowserTests } from './tally.ts'

export const BROWSER_CONFIG = 'e2e/playwright.config.ts'

/** All browser tests, as paths from the root. */
export const browserTests = () => globSync('e2e/browser/*.test.ts', { cwd: ROOT }).sort()

/** Runs browser tests and prints their output when all have ended. Without a browser it reports them as skipped. */
export async function runBrowserTests(files: readonly string[], { signal, failures }: Run): Promise<Tally> {
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  const isMissing = missingOf([CHROMIUM, WHOLE_CHROMIUM]).length === 2
  if (isMissing) for (const file of files) console.log(`skipped without ${CHROMIUM.name}: ${file}`)

  const { report, result } = await withReport<CountedBrowserTests & FailedBrowserTests, number | null>(async (path) => {
    const options = [`--config=${BROWSER_CONFIG}`, '--reporter=list,json', ...(isMissing ? ['--list'] : [])]
    const { code, output } = await runCommand(installed('playwright', 'test', ...options, ...files.map(exactly)), {
      cwd: ROOT,
      signal,
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: path },
    })
    console.log(output.trimEnd())
    return code
  })
  if (report) failures.push(...browserFailuresOf(report))
  return tallyBrowserTests(report, result)
}

/** Chooses files as vitest does: those whose path contains any of the names, or all. */
export function filesNamed(files: readonly string[], names: readonly string[]): string[] {
  return files.filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
}

/** Returns a pattern for Playwright that matches this file only. */
export function exactly(file: string): string {
  return `/${file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
}
