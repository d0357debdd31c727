import { globSync } from 'node:fs'
import { runCommand } from './run-command.ts'
import { installed, ROOT } from './steps.ts'
import { CHROMIUM, missingOf } from './system-programs.ts'
import { type BrowserReport, type Tally, tallyBrowserTests } from './tally.ts'
import { withReport } from './test-report.ts'

const CONFIG = 'e2e/playwright.config.ts'

/** Runs the browser tests whose path contains one of the names; with no names, all. Without a browser they are skipped. */
export async function runBrowserTests(names: readonly string[], signal: AbortSignal): Promise<Tally> {
  const files = filesNamed(globSync('e2e/browser/*.test.ts', { cwd: ROOT }).sort(), names)
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  const isMissing = missingOf([CHROMIUM]).length > 0
  if (isMissing) for (const file of files) console.log(`skipped without ${CHROMIUM.name}: ${file}`)

  const { report, result } = await withReport<BrowserReport, number | null>(async (path) => {
    const options = [`--config=${CONFIG}`, '--reporter=list,json', ...(isMissing ? ['--list'] : [])]
    const { code } = await runCommand(installed('playwright', 'test', ...options, ...files.map(exactly)), {
      cwd: ROOT,
      signal,
      show: true,
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: path },
    })
    return code
  })
  return tallyBrowserTests(report, result)
}

/** As vitest picks files: those whose path contains any of the names. */
export function filesNamed(files: readonly string[], names: readonly string[]): string[] {
  return files.filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
}

/** Playwright takes an argument for a pattern: this one is met by the file alone. */
export function exactly(file: string): string {
  return `/${file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
}
