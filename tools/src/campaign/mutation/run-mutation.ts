import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runCommand } from '../../run-command.ts'
import { UsageError } from '../../start.ts'
import { installed, ROOT } from '../../steps.ts'
import { MUTATION } from '../campaigns.ts'
import { type CampaignTotals, commandFrom } from '../run-campaigns.ts'
import { applyMutant, findMutants, type Mutant } from './mutants.ts'
import { shuffle } from './shuffle.ts'
import { createWorkCopy, type WorkCopy } from './work-copy.ts'

export interface MutationOptions {
  readonly room: string
  readonly seed: number
  readonly from: number
  readonly minutes: number
  readonly json: boolean
}

type Outcome = 'killed' | 'survived' | 'timeout'

const BASELINE_LIMIT_MS = 20 * 60_000
const LEAST_LIMIT_MS = 20_000

/** Judges the mutants of a room in an order that the seed decides. A mutant that no test notices is a violation. */
export async function runMutationCampaign(options: MutationOptions, signal: AbortSignal): Promise<CampaignTotals> {
  const { room, seed, json } = options
  const say = json ? console.error : console.log
  const files = sourcesOf(room)
  const mutants = shuffle(
    files.flatMap((file) => findMutants(file, readFileSync(join(ROOT, file), 'utf8'))),
    seed,
  )
  say(`${mutants.length} mutants of ${files.length} files in ${room}`)
  using copy = createWorkCopy(ROOT)
  const limitMs = await runBaseline(copy, files, signal)
  const tally: Record<Outcome, number> = { killed: 0, survived: 0, timeout: 0 }
  const survivors: string[] = []
  const untilMs = Date.now() + options.minutes * 60_000
  let next = options.from
  for (; next <= mutants.length && Date.now() < untilMs && !signal.aborted; next += 1) {
    const mutant = mutants[next - 1]
    if (!mutant) break
    const outcome = await judge(copy, mutant, limitMs, signal)
    // A run that was interrupted says nothing about the mutant.
    if (signal.aborted) break
    tally[outcome] += 1
    if (json) console.log(JSON.stringify({ ...shown(mutant), outcome }))
    if (outcome !== 'survived') continue
    survivors.push(describeMutant(mutant))
    if (!json) console.log(`SURVIVED ${describeMutant(mutant)}\n  repeat with ${command(room, seed, next)}`)
  }
  if (!json) for (const line of survivors) console.log(`survivor: ${line}`)
  say(`${tally.killed} killed, ${tally.survived} survived, ${tally.timeout} timed out`)
  if (next <= mutants.length) say(`continue with ${command(room, seed, next)}`)
  return { runs: tally.killed + tally.survived + tally.timeout, violations: tally.survived }
}

/** Returns the command that starts with this mutant. */
const command = (room: string, seed: number, from: number) => commandFrom(`${MUTATION} ${room}`, seed, from)

/** One line: where, and what became what. */
export function describeMutant({ file, line, column, before, after }: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 60)
  return `${file}:${line}:${column} ${short(before)} → ${short(after)}`
}

const shown = ({ file, line, column, before, after }: Mutant) => ({ file, line, column, before, after })

/** The sources of a room: not its tests, and not the helpers of tests. */
export function sourcesOf(room: string): string[] {
  const folder = room.replace(/^\.\//, '').replace(/\/+$/, '')
  if (!existsSync(join(ROOT, folder))) throw new UsageError(`there is no ${room} in this checkout`)
  const found = statSync(join(ROOT, folder)).isFile()
    ? [folder]
    : globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: (path) => path.includes('node_modules') })
  const files = found.filter((path) => !/\.test\.tsx?$|\/testing\/|\.d\.ts$/.test(path)).sort()
  if (files.length === 0) throw new UsageError(`there are no sources in ${room}`)
  return files
}

/** Runs the tests of the room without a mutant. They must pass; a mutant gets three times their time. */
async function runBaseline(copy: WorkCopy, files: readonly string[], signal: AbortSignal): Promise<number> {
  const startedAt = Date.now()
  const { code, output } = await runTests(copy, ['related', ...files], BASELINE_LIMIT_MS, signal)
  if (code !== 0 && !signal.aborted) throw new Error(`the tests fail without a mutant:\n${output.slice(-3_000)}`)
  return Math.max(LEAST_LIMIT_MS, 3 * (Date.now() - startedAt))
}

async function judge(copy: WorkCopy, mutant: Mutant, limitMs: number, signal: AbortSignal): Promise<Outcome> {
  const path = join(copy.folder, mutant.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, applyMutant(source, mutant))
  try {
    // The tests in the same folder notice most mutants, and faster than all tests that import the file.
    for (const tests of [
      ['run', `${dirname(mutant.file)}/`],
      ['related', mutant.file],
    ]) {
      const { code, timedOut } = await runTests(copy, tests, limitMs, signal)
      if (timedOut) return 'timeout'
      if (code !== 0) return 'killed'
    }
    return 'survived'
  } finally {
    writeFileSync(path, source)
  }
}

async function runTests(copy: WorkCopy, tests: readonly string[], limitMs: number, signal: AbortSignal) {
  const limit = AbortSignal.timeout(limitMs)
  const options = ['--run', '--config', copy.config, '--bail=1', '--reporter=dot', '--passWithNoTests']
  const { code, output } = await runCommand(installed('vitest', ...tests, ...options), {
    cwd: copy.folder,
    signal: AbortSignal.any([signal, limit]),
    env: {
      NO_COLOR: '1',
      PLANTROOM_TEST_RUNS: '1',
      ...(tests.some(needsDatabase) && { PLANTROOM_MUTATION_SETUP: '1' }),
    },
  })
  return { code, output, timedOut: limit.aborted && !signal.aborted }
}

/** Changes in packages that the cloud imports reach its tests, which share a database server. */
const needsDatabase = (file: string) => /^packages\/(base|contract|fpl|cloud|testkit)\//.test(file)
