import { parseArgs } from 'node:util'
import { interruption } from './interruption.ts'
import { start } from './start.ts'
import { describeOutcome, type Outcome, runSteps, STEPS } from './steps.ts'

const HELP = `Usage: plantroom check [--json]

Checks the sources without running them: ${STEPS.map((step) => step.name).join(', ')}.
  --json  print one line for each check: {name, ok, seconds, output}
  --help  this text
`

const TEN_MINUTES_MS = 600_000

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean' }, json: { type: 'boolean' } } })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const signal = interruption(TEN_MINUTES_MS)
  const report = (outcome: Outcome) => console.log(values.json ? JSON.stringify(outcome) : describeOutcome(outcome))
  const outcomes = await runSteps(STEPS, signal, report)
  if (signal.aborted) console.error(`plantroom check: ${(signal.reason as Error).message}`)
  return outcomes.every((outcome) => outcome.ok) ? 0 : 1
}

await start('check', main)
