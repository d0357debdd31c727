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
  /** The output of the step, for the person who has to fix the problem. */
  output: string
}

/** Checks of the sources that run no code. */
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

/** Runs all steps concurrently and reports each as it ends. Returns the outcomes in the order of the steps. */
export function runSteps(
  steps: readonly Step[],
  signal: AbortSignal,
  report: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  return Promise.all(
    steps.map(async (step) => {
      const started = performance.now()
      const { ok, output } = await step.run(signal).catch((error: Error) => ({ ok: false, output: error.message }))
      const seconds = Math.round(performance.now() - started) / 1000
      const outcome = { name: step.name, ok, seconds, output }
      report(outcome)
      return outcome
    }),
  )
}

/** Describes a step that passed in one line, and one that failed by its output and one line. */
export function describeOutcome({ name, ok, seconds, output }: Outcome): string {
  const time = `(${seconds.toFixed(1)} s)`
  return ok ? `ok ${name} ${time}` : `${output.trimEnd()}\nFAILED ${name} ${time}`
}

/** Returns the command line of a program that a dependency installs. */
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
