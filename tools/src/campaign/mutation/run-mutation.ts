import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../../start.ts'
import { ROOT } from '../../steps.ts'
import { MUTATION } from '../campaigns.ts'
import { type CampaignTotals, commandFrom } from '../run-campaigns.ts'
import { type ImportGraph, readImportGraph } from './import-graph.ts'
import { applyMutant, findMutants, type Mutant } from './mutants.ts'
import { shuffle } from './shuffle.ts'
import { createTestRunner, type TestRunner } from './test-runner.ts'
import { createWorkCopy, type WorkCopy } from './work-copy.ts'

export interface MutationOptions {
  readonly room: string
  readonly seed: number
  readonly from: number
  readonly minutes: number
  readonly json: boolean
  /** Only the tests in the room judge its mutants. */
  readonly near: boolean
}

type Outcome = 'killed' | 'survived' | 'timeout'

interface Verdict {
  readonly outcome: Outcome
  /** The test that noticed the mutant. */
  readonly by?: string
}

/** What a test file takes that has not passed yet. */
const UNKNOWN_MS = 20_000
const GREEN_LIMIT_MS = 10 * 60_000
const LEAST_LIMIT_MS = 60_000

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
  const graph = readImportGraph(ROOT)
  const testsOf = new Map(files.map((file) => [file, testsFor(file, graph, options)]))
  const allTests = [...new Set([...testsOf.values()].flat())]
  say(`${allTests.length} test files judge them`)
  using copy = createWorkCopy(ROOT)
  await using runner = createTestRunner(copy, { database: allTests.some(needsDatabase) }, signal)
  const bench: Bench = { copy, runner, signal, durations: new Map(), green: new Set() }
  const tally: Record<Outcome, number> = { killed: 0, survived: 0, timeout: 0 }
  const survivors: string[] = []
  const untilMs = Date.now() + options.minutes * 60_000
  let next = options.from
  for (; next <= mutants.length && Date.now() < untilMs && !signal.aborted; next += 1) {
    const mutant = mutants[next - 1]
    if (!mutant) break
    const { outcome, by } = await judge(mutant, testsOf.get(mutant.file) ?? [], bench)
    // A run that was interrupted says nothing about the mutant.
    if (signal.aborted) break
    tally[outcome] += 1
    if (json) console.log(JSON.stringify({ ...shown(mutant), outcome, by }))
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

const trimmed = (room: string) => room.replace(/^\.\//, '').replace(/\/+$/, '')

/** The sources of a room: not its tests, and not the helpers of tests. */
export function sourcesOf(room: string): string[] {
  const folder = trimmed(room)
  if (!existsSync(join(ROOT, folder))) throw new UsageError(`there is no ${room} in this checkout`)
  const found = statSync(join(ROOT, folder)).isFile()
    ? [folder]
    : globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: (path) => path.includes('node_modules') })
  const files = found.filter((path) => !/\.test\.tsx?$|\/testing\/|\.d\.ts$/.test(path)).sort()
  if (files.length === 0) throw new UsageError(`there are no sources in ${room}`)
  return files
}

/**
 * The tests that judge a file: those that reach it, and those beside it, which may start it as a program. Near ones are in
 * the room: a file of shared parts is tested by the folders that use it.
 */
export function testsFor(
  file: string,
  graph: ImportGraph,
  { room, near }: Pick<MutationOptions, 'room' | 'near'>,
): string[] {
  const beside = globSync(`${dirname(file)}/*.test.{ts,tsx}`, { cwd: ROOT })
  const tests = [...new Set([...graph.testsOf(file), ...beside])]
  if (!near) return tests
  return tests.filter((test) => beside.includes(test) || test.startsWith(`${trimmed(room)}/`))
}

/** The test of the same name first, then the shortest, as far as durations are known: the first failure ends the run. */
export function inOrder(file: string, tests: readonly string[], durations: ReadonlyMap<string, number>): string[] {
  const own = file.replace(/\.(tsx?)$/, '.test.$1')
  const rank = (test: string) => (test === own ? -1 : (durations.get(test) ?? 0))
  return tests.toSorted((a, b) => rank(a) - rank(b))
}

interface Bench {
  readonly copy: WorkCopy
  readonly runner: TestRunner
  readonly signal: AbortSignal
  /** Milliseconds of each test file when it last passed. */
  readonly durations: Map<string, number>
  /** Test files that pass without a mutant. */
  readonly green: Set<string>
}

async function judge(mutant: Mutant, tests: readonly string[], bench: Bench): Promise<Verdict> {
  if (tests.length === 0) return { outcome: 'survived' }
  const path = join(bench.copy.folder, mutant.file)
  const changed = [mutant.file]
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, applyMutant(source, mutant))
  const request = { changed, tests: inOrder(mutant.file, tests, bench.durations) }
  const result = await bench.runner.run(request, limitFor(tests, bench)).finally(() => {
    writeFileSync(path, source)
  })
  if (!result) return { outcome: 'timeout' }
  const { failure, durations } = result
  if (!failure) {
    for (const [file, ms] of durations) bench.durations.set(file, ms)
    for (const file of tests) bench.green.add(file)
    return { outcome: 'survived' }
  }
  await requireGreen(failure.file === undefined ? tests : [failure.file], changed, bench)
  return { outcome: 'killed', by: `${failure.file ?? ''} ${failure.message}` }
}

/** Three times what the tests usually take. */
function limitFor(tests: readonly string[], { durations }: Bench): number {
  const usualMs = tests.reduce((sum, test) => sum + (durations.get(test) ?? UNKNOWN_MS), 0)
  return LEAST_LIMIT_MS + Math.ceil(3 * usualMs)
}

/** A test that fails without the mutant says nothing about it. Each file is checked once, when it first fails. */
async function requireGreen(tests: readonly string[], changed: readonly string[], bench: Bench): Promise<void> {
  const unknown = tests.filter((test) => !bench.green.has(test))
  if (unknown.length === 0) return
  const result = await bench.runner.run({ changed, tests: unknown }, GREEN_LIMIT_MS)
  if (bench.signal.aborted) return
  if (!result) throw new Error(`without a mutant, ${unknown.join(' and ')} take too long or end their process`)
  if (result.failure) throw new Error(`without a mutant, ${result.failure.file} fails: ${result.failure.message}`)
  for (const [file, ms] of result.durations) bench.durations.set(file, ms)
  for (const file of unknown) bench.green.add(file)
}

/** Changes in packages that the cloud imports reach its tests, which share a database server. */
const needsDatabase = (test: string) => test.startsWith('packages/cloud/')
