import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { interruption } from './interruption.ts'
import { runCommand } from './run-command.ts'
import { start, UsageError } from './start.ts'
import { installed, ROOT } from './steps.ts'

const HELP = `Usage: plantroom screenshots FOLDER

Writes a screenshot of every page and dialog of the console, for review: 1440 and 390 pixels wide, light and dark. Starts a
demo for it, unless PLANTROOM_TEST_DEMO names the data folder of a running one.

  --help  this text
`

const HALF_HOUR_MS = 30 * 60_000

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const [folder, ...others] = positionals
  if (folder === undefined || others.length > 0) throw new UsageError('name one folder')
  const { code } = await runCommand(installed('playwright', 'test', '--config=e2e/screenshots.config.ts'), {
    cwd: ROOT,
    signal: interruption(HALF_HOUR_MS),
    show: true,
    env: { PLANTROOM_SCREENSHOTS: resolve(folder) },
  })
  return code ?? 1
}

await start('screenshots', main)
