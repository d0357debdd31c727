import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../../start.ts'
import { ROOT } from '../../steps.ts'
import { MUTATION } from '../campaigns.ts'
import { type CampaignTotals, commandFrom } from '../run-campaigns.ts'
import { type Coverage, createCoverage } from './coverage.ts'
import { type ImportGraph, readImportGraph } from './import-graph.ts'
import { keptMeasurements } from './kept-measurements.ts'
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
  /** False when no test runs the place of the mutant. */
  readonly isCovered?: boolean
}

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
  const ringsOf = new Map(files.map((file) => [file, ringsFor(file, graph, options)]))
  const allTests = [...new Set([...ringsOf.values()].flat(2))]
  say(`${allTests.length} test files judge them`)
  using copy = createWorkCopy(ROOT)
  await using runner = createTestRunner(copy, { database: allTests.some(needsDatabase) }, signal)
  const bench: Bench = {
    copy,
    runner,
    coverage: createCoverage(files, { copy, runner, signal, measured: keptMeasurements(ROOT, files) }),
  }
  const tally: Record<Outcome, number> = { killed: 0, survived: 0, timeout: 0 }
  const survivors: string[] = []
  const untilMs = Date.now() + options.minutes * 60_000
  let next = options.from
  for (; next <= mutants.length && Date.now() < untilMs && !signal.aborted; next += 1) {
    const mutant = mutants[next - 1]
    if (!mutant) break
    const { outcome, by, isCovered } = await judge(mutant, ringsOf.get(mutant.file) ?? [], bench)
    // A run that was interrupted says nothing about the mutant.
    if (signal.aborted) break
    tally[outcome] += 1
    if (json) console.log(JSON.stringify({ ...shown(mutant), outcome, by, isCovered }))
    if (outcome !== 'survived') continue
    const described = `${describeMutant(mutant)}${isCovered ? '' : ' (no test runs this)'}`
    survivors.push(described)
    if (!json) console.log(`SURVIVED ${described}\n  repeat with ${command(room, seed, next)}`)
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
 * The tests that judge a file, in rings: those of the room, then all others that reach it. A file of shared parts is tested by
 * the folders that use it. Tests beside a file may start it as a program.
 */
export function ringsFor(
  file: string,
  graph: ImportGraph,
  { room, near }: Pick<MutationOptions, 'room' | 'near'>,
): (readonly string[])[] {
  const beside = globSync(`${dirname(file)}/*.test.{ts,tsx}`, { cwd: ROOT })
  const tests = [...new Set([...graph.testsOf(file), ...beside])]
  const isNear = (test: string) => beside.includes(test) || test.startsWith(`${trimmed(room)}/`)
  const nearest = tests.filter(isNear)
  return near ? [nearest] : [nearest, tests.filter((test) => !isNear(test))]
}

interface Bench {
  readonly copy: WorkCopy
  readonly runner: TestRunner
  readonly coverage: Coverage
}

/** Runs the tests that reach the place of a mutant, ring by ring, up to the first failure. */
async function judge(mutant: Mutant, rings: readonly (readonly string[])[], bench: Bench): Promise<Verdict> {
  const path = join(bench.copy.folder, mutant.file)
  let isCovered = false
  for (const ring of rings) {
    await bench.coverage.measure(ring)
    const tests = bench.coverage.testsAt(mutant, ring)
    if (tests.length === 0) continue
    isCovered = true
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, applyMutant(source, mutant))
    const limitMs = LEAST_LIMIT_MS + Math.ceil(3 * bench.coverage.durationOf(tests))
    const result = await bench.runner.run({ changed: [mutant.file], tests }, limitMs).finally(() => {
      writeFileSync(path, source)
    })
    if (!result) return { outcome: 'timeout' }
    if (result.failure) return { outcome: 'killed', by: `${result.failure.file ?? ''} ${result.failure.message}` }
  }
  return { outcome: 'survived', isCovered }
}

/** Changes in packages that the cloud imports reach its tests, which share a database server. */
const needsDatabase = (test: string) => test.startsWith('packages/cloud/')
