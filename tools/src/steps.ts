import { join } from 'node:path'
import { lockfileProblems } from './lockfile.ts'
import { runCommand } from './run-command.ts'

export const ROOT = join(import.meta.dirname, '../..')

export interface Step {
  name: string
  run(signal: AbortSignal): Promise<{ ok: boolean; output: string }>
}

export interface Outcome {
  name: string
  ok: boolean
  seconds: number
  /** What the step had to say, for the person who has to mend it. */
  output: string
}

/** What must hold of the sources, whatever the tests say. */
export const STEPS: readonly Step[] = [
  tool('types', 'tsc', '-p', '.'),
  tool('types of the console', 'tsc', '-p', 'packages/web'),
  tool('lint', 'biome', 'check', '--error-on-warnings', '--max-diagnostics=200', '.'),
  tool('unused', 'knip', '--no-progress', '--no-config-hints'),
  {
    name: 'lockfile',
    async run() {
      const problems = lockfileProblems(ROOT)
      return { ok: problems.length === 0, output: problems.join('\n') }
    },
  },
]

/** Runs all steps at once and tells of each as it ends. The outcomes come in the order of the steps. */
export function runSteps(
  steps: readonly Step[],
  signal: AbortSignal,
  tell: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  return Promise.all(
    steps.map(async (step) => {
      const started = performance.now()
      const { ok, output } = await step.run(signal).catch((error: Error) => ({ ok: false, output: error.message }))
      const seconds = Math.round(performance.now() - started) / 1000
      const outcome = { name: step.name, ok, seconds, output }
      tell(outcome)
      return outcome
    }),
  )
}

/** One line for a step that passed; what it said and then the line for one that failed. */
export function describeOutcome({ name, ok, seconds, output }: Outcome): string {
  const time = `(${seconds.toFixed(1)} s)`
  return ok ? `ok ${name} ${time}` : `${output.trimEnd()}\nFAILED ${name} ${time}`
}

/** The command line of a program that a dependency brings. */
export function installed(name: string, ...args: string[]): [string, ...string[]] {
  return [process.execPath, join(ROOT, 'node_modules/.bin', name), ...args]
}

function tool(name: string, program: string, ...args: string[]): Step {
  return {
    name,
    async run(signal) {
      const { code, output } = await runCommand(installed(program, ...args), { cwd: ROOT, signal })
      return { ok: code === 0, output }
    },
  }
}
