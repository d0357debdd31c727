import { type Random, randomOf } from '@plantroom/testkit/random'
import { isCampaign, repeat, repetitions } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Crash, crashingName, type Victim } from './support/import-crash.ts'
import { expectCounts, type ImportTrials, startImportTrials, WORKERS } from './support/import-trials.ts'
import type { PackageSite } from './support/package-service.ts'
import { expectDownloads, expectWhole } from './support/site-audit.ts'

const RUN_TIMEOUT_MS = 900_000
const MOST_ATTEMPTS = 3

const VICTIMS: readonly Victim[] = ['both', 'worker', 'child']
/** Points before the import has recorded that it is done. */
const BEFORE_THE_RECORD = [1, 2, 3].flatMap((nth) =>
  (['extracted', 'written', 'committed'] as const).map((at) => ({ at, nth })),
)
const AFTER_THE_RECORD = [{ at: 'recorded', nth: 1 } as const, { at: 'removed', nth: 1 } as const]

let trials: ImportTrials

beforeAll(async () => {
  trials = await startImportTrials()
})
afterAll(() => trials?.[Symbol.asyncDispose]())

const isThere = async (site: PackageSite, filename: string) =>
  (await site.call('POST', '/import/preview', { filename })).status === 200

/** Numbers of requests that have files, of the first batch and of the later ones. */
const someNumbers = (random: Random) => [1, 1 + 20 * random.whole(1, 4), 1 + 20 * random.whole(5, 10)]

/** Imports until an import succeeds; each attempt meets the next crash. Returns the number of attempts that crashed. */
async function importThrough(crashes: readonly Crash[], random: Random): Promise<number> {
  const { service, source, newSite, upload, startImport } = trials
  const site = await newSite()
  const filename = await upload(site, crashes)
  const first = await site.resolved(await startImport(site, filename))
  const jobs = [first]
  if (first.status === 'ERROR') {
    expect(first).toMatchObject({
      retryCount: MOST_ATTEMPTS,
      output: { message: expect.stringMatching(/^The import stopped at request \d+/) },
    })
    expect((first.output as { message: string }).message).toMatch(/running the import again continues from there/)
    // The same bytes under a name without crashes.
    jobs.push(await site.resolved(await startImport(site, await upload(site, []))))
    expect(jobs[1]).toMatchObject({ status: 'SUCCESS', retryCount: 1 })
  } else {
    expect(first.output).toMatchObject({ created: source.counts, skipped: 0 })
    expect(await isThere(site, filename)).toBe(false)
  }
  expectCounts(jobs)
  await expectWhole(service, site, source)
  await expectDownloads(site, source, someNumbers(random))
  return first.status === 'ERROR' ? MOST_ATTEMPTS : first.retryCount - 1
}

/** Runs as many imports at the same time as there are workers; the error of a failed one names its crashes. */
async function importInLanes(scripts: readonly Crash[][], random: Random, expected?: (script: Crash[]) => number) {
  const left = scripts.map((script) => ({ script, random: randomOf(random.whole(0, 2 ** 31)) }))
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { script } = next
      const crashed = await importThrough(script, next.random).catch((error: Error) => {
        throw new Error(`${crashingName(script)}: ${error.message}`, { cause: error })
      })
      if (expected) expect(crashed, crashingName(script)).toBe(expected(script))
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, lane))
  await trials.expectLeftoversRemoved()
}

/** Pairs the points: an import has three attempts, so two of them may crash. The points after the record come second. */
function scriptsThroughAllPoints(firstVictim: number): Crash[][] {
  const victim = (index: number) => VICTIMS[(firstVictim + index) % VICTIMS.length] ?? 'both'
  const early = BEFORE_THE_RECORD.map((point, index): Crash => ({ ...point, end: victim(index) }))
  const late = AFTER_THE_RECORD.map((point, index): Crash => ({ ...point, end: victim(index) }))
  const scripts: Crash[][] = []
  while (early.length + late.length > 0) {
    const last = late.pop()
    scripts.push([early.shift(), last ?? early.shift()].filter((crash) => crash !== undefined))
  }
  return scripts
}

describe('an import whose processes are killed', () => {
  const timeout = repetitions(1) * RUN_TIMEOUT_MS

  test('at every named point creates every request once, with its files', { timeout }, () =>
    repeat(1, ({ number, random }) =>
      importInLanes(scriptsThroughAllPoints(number - 1), random, (script) => script.length),
    ),
  )

  test.runIf(isCampaign)('at random times creates every request once, with its files', { timeout }, () =>
    repeat(1, ({ random }) => {
      const crash = (): Crash => ({ at: 'after', nth: random.whole(0, 700), end: random.pick(VICTIMS) })
      const script = () => Array.from({ length: random.whole(2, 3) }, crash)
      return importInLanes(Array.from({ length: WORKERS }, script), random)
    }),
  )
})
