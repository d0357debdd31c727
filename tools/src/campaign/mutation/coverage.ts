import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Measured } from './kept-measurements.ts'
import type { Mutant } from './mutants.ts'
import { addProbes, findParts, HITS_FILE, HITS_MODULE, HITS_SOURCE, type Part, partAround } from './probes.ts'
import type { TestResult, TestRunner } from './test-runner.ts'
import type { WorkCopy } from './work-copy.ts'

/** What a test file takes at most when it runs alone. */
const FILE_LIMIT_MS = 10 * 60_000

/** What each test file runs of the sources, found out by running it once without a mutant. */
export interface Coverage {
  /** Runs those of these test files that have not run yet. Rejects when one of them fails. */
  measure(tests: readonly string[]): Promise<void>
  /** Of these test files, those that run the place of a mutant: the one named after its file first, then the shortest. */
  testsAt(mutant: Mutant, tests: readonly string[]): string[]
  /** Milliseconds that these test files take. */
  durationOf(tests: readonly string[]): number
}

export function createCoverage(
  files: readonly string[],
  {
    copy,
    runner,
    signal,
    measured = new Map(),
  }: {
    copy: WorkCopy
    runner: TestRunner
    signal: AbortSignal
    measured?: Pick<Map<string, Measured>, 'get'> & { set(test: string, one: Measured): void }
  },
): Coverage {
  const partsOf = new Map<string, Part[]>()
  let count = 0
  for (const file of files) {
    const parts = findParts(file, readFileSync(join(copy.folder, file), 'utf8'), count)
    count += parts.length
    partsOf.set(file, parts)
  }

  return {
    async measure(tests) {
      const unknown = tests.filter((test) => !measured.get(test))
      using probed = probe(copy, partsOf)
      for (const test of unknown) {
        probed.forget()
        const result = await runner.run({ changed: files, tests: [test] }, FILE_LIMIT_MS)
        if (signal.aborted) return
        measured.set(test, { hits: probed.hits(), ms: msOf(test, result) })
      }
    },
    testsAt(mutant, tests) {
      // A place without a part runs when its module is loaded.
      const part = partAround(partsOf.get(mutant.file) ?? [], mutant)
      const own = mutant.file.replace(/\.(tsx?)$/, '.test.$1')
      const judges = tests.flatMap((test) => {
        const result = measured.get(test)
        return result && (!part || result.hits.has(part.id)) ? [{ test, rank: test === own ? -1 : result.ms }] : []
      })
      return judges.toSorted((a, b) => a.rank - b.rank).map(({ test }) => test)
    },
    durationOf: (tests) => tests.reduce((sum, test) => sum + (measured.get(test)?.ms ?? 0), 0),
  }
}

/** Puts probes into the sources of a copy until it is disposed. */
function probe({ folder }: WorkCopy, partsOf: ReadonlyMap<string, readonly Part[]>) {
  const originals = [...partsOf.keys()].map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const)
  const hitsPath = join(folder, HITS_FILE)
  writeFileSync(join(folder, HITS_MODULE), HITS_SOURCE)
  for (const [file, source] of originals) {
    writeFileSync(join(folder, file), addProbes(file, source, partsOf.get(file) ?? []))
  }
  return {
    forget: () => writeFileSync(hitsPath, ''),
    hits: (): ReadonlySet<number> => new Set(readFileSync(hitsPath, 'utf8').split('\n').filter(Boolean).map(Number)),
    [Symbol.dispose]() {
      for (const [file, source] of originals) writeFileSync(join(folder, file), source)
    },
  }
}

/** A test that fails without a mutant says nothing about one. */
function msOf(test: string, result: TestResult | undefined): number {
  if (!result) throw new Error(`without a mutant, ${test} takes too long or ends its process`)
  if (result.failure) throw new Error(`without a mutant, ${test} fails: ${result.failure.message}`)
  return result.durations.reduce((sum, [, ms]) => sum + ms, 0)
}
