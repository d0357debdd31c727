import { join } from 'node:path'
import { PLANTROOM, ROOT } from './environment.ts'
import { run } from './run.ts'

const TEST_PROGRAMS = 'test-results/programs'

/** The built program of a package, as the `plantroom` script starts it. */
export const programOf = (room: string, name = 'main') => join(ROOT, 'dist', `${room}-${name}.js`)

/** Our programs with faults, which are built before the tests. */
export const FAULTY = {
  edge: join(ROOT, TEST_PROGRAMS, 'support-crashing-edge.js'),
  worker: join(ROOT, TEST_PROGRAMS, 'support-crashing-worker.js'),
}

/** Builds the programs and the console for the tests: the faulty programs always, the rest if a source has changed. */
export async function buildForTests(): Promise<void> {
  const faulty = ['edge', 'job', 'worker'].map((name) => `e2e/support/crashing-${name}.ts`)
  await succeed(PLANTROOM, ['--help'])
  // Otherwise the first demo would build it, and say so among the lines that a test compares.
  await succeed(process.execPath, [join(ROOT, 'tools/src/build-console.ts')])
  await succeed(process.execPath, [join(ROOT, 'tools/src/build-programs.ts'), TEST_PROGRAMS, ...faulty])
}

async function succeed(program: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(program, args)
  if (code !== 0) throw new Error(stderr)
}
