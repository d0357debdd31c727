import type { ImportOutput, Job } from '@plantroom/contract/jobs'
import { isRunning } from '@plantroom/testkit/child-program'
import { eventually as eventuallyWithin } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type FatefulService, startFatefulService } from './support/fateful-service.ts'
import { type Fate, fatefulName, type Victim } from './support/import-fate.ts'
import { importHeld } from './support/import-hold.ts'
import { expireLease } from './support/job-lease.ts'
import { type Random, randomOf } from './support/override-random.ts'
import type { PackageSite } from './support/package-service.ts'
import { expectDownloads, expectNothingUnfinished, expectWhole } from './support/site-audit.ts'
import { makeSource, type SourcePackage } from './support/source-package.ts'

const KILLS = Number(process.env.PLANTROOM_TEST_KILLS ?? 12)
const SEED = Number(process.env.PLANTROOM_TEST_SEED ?? Date.now() % 1_000_000_000)
const WORKERS = 2
/** Three batches. */
const REQUESTS = 2_100
const MINUTE_MS = 60_000

const VICTIMS: readonly Victim[] = ['both', 'worker', 'child']
/** Where an import is cut off before it has recorded that it is done, and after. */
const ON_THE_WAY = [1, 2, 3].flatMap((nth) =>
  (['extracted', 'written', 'committed'] as const).map((at) => ({ at, nth })),
)
const AT_THE_END = [{ at: 'recorded', nth: 1 } as const, { at: 'removed', nth: 1 } as const]

let service: FatefulService
let source: SourcePackage

beforeAll(async () => {
  service = await startFatefulService({ workers: WORKERS })
  source = await makeSource(service.folder, REQUESTS)
})
afterAll(() => service?.[Symbol.asyncDispose]())

let sites = 0
const newSite = () => {
  sites += 1
  return service.addSite(`Site ${sites}`)
}

async function startImport(site: PackageSite, filename: string): Promise<string> {
  const { status, body } = await site.call('POST', '/import', { filename })
  expect(status, body.message).toBe(200)
  return body.jobId
}

const upload = (site: PackageSite, fates: readonly Fate[]) => source.uploadAs(site, fatefulName(fates))
const isThere = async (site: PackageSite, filename: string) =>
  (await site.call('POST', '/import/preview', { filename })).status === 200

/** What the outputs of all imports of the package on the site must add up to. */
function expectCounts(jobs: readonly Job[]): void {
  const outputs = jobs.filter(({ status }) => status === 'SUCCESS').map(({ output }) => output as ImportOutput)
  for (const { created, skipped } of outputs) expect(created.tickets + skipped).toBe(REQUESTS)
}

/** What a process leaves that is killed goes when the next one begins. */
async function nothingIsLeft(): Promise<void> {
  await (await newSite()).run('/export')
  expectNothingUnfinished(service.data)
}

const someNumbers = (random: Random) => [1, 1 + 20 * random.whole(1, 49), 1 + 20 * random.whole(50, 104)]

describe(`kill -9 in the middle of imports: ${KILLS} of them, seed ${SEED}`, () => {
  const named = Math.max(Math.ceil(KILLS / 2), ON_THE_WAY.length + AT_THE_END.length)

  /** Imports until it succeeds; the name of the package kills every attempt that it names. Returns how many were killed. */
  async function importThrough(fates: readonly Fate[], random: Random): Promise<number> {
    const site = await newSite()
    const filename = await upload(site, fates)
    const first = await site.resolved(await startImport(site, filename))
    const jobs = [first]
    if (first.status === 'ERROR') {
      expect(first).toMatchObject({
        retryCount: 3,
        output: { message: expect.stringMatching(/^The import stopped at request \d+/) },
      })
      expect((first.output as { message: string }).message).toMatch(/running the import again continues from there/)
      // The same bytes under a name that promises nothing.
      jobs.push(await site.resolved(await startImport(site, await upload(site, []))))
      expect(jobs[1]).toMatchObject({ status: 'SUCCESS', retryCount: 1 })
    } else {
      expect(first.output).toMatchObject({ created: source.counts, skipped: 0 })
      expect(await isThere(site, filename)).toBe(false)
    }
    expectCounts(jobs)
    await expectWhole(service, site, source)
    await expectDownloads(site, source, someNumbers(random))
    return first.status === 'ERROR' ? 3 : first.retryCount - 1
  }

  /** As many at once as there are workers. */
  async function inLanes(lane: () => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: WORKERS }, lane))
    await nothingIsLeft()
  }

  function withSeed(which: string, run: Promise<number>): Promise<number> {
    return run.catch((error: Error) => {
      throw new Error(`${which} of seed ${SEED}: ${error.message}`, { cause: error })
    })
  }

  test(`at every named point, ${named} times`, { timeout: named * 20_000 + MINUTE_MS }, async () => {
    const onTheWay = Math.ceil((named * ON_THE_WAY.length) / (ON_THE_WAY.length + AT_THE_END.length))
    const fates = (places: readonly Pick<Fate, 'at' | 'nth'>[], count: number) =>
      Array.from(
        { length: count },
        (_, index) => ({ ...places[index % places.length], end: VICTIMS[index % 3] }) as Fate,
      )
    const early = fates(ON_THE_WAY, onTheWay)
    const late = fates(AT_THE_END, named - onTheWay)
    const scripts: Fate[][] = []
    // Three attempts are two deaths; what is at the end comes second, or there would be no second one.
    while (early.length + late.length > 0) {
      const last = late.pop()
      scripts.push([early.shift(), last ?? early.shift()].filter((fate) => fate !== undefined))
    }
    let killed = 0
    await inLanes(async () => {
      for (let script = scripts.shift(); script; script = scripts.shift()) {
        const deaths = await withSeed(fatefulName(script), importThrough(script, randomOf(SEED)))
        expect(deaths).toBe(script.length)
        killed += deaths
      }
    })
    expect(killed).toBe(named)
  })

  test(`at random times, ${KILLS - named} times`, { timeout: KILLS * 20_000 + MINUTE_MS }, async () => {
    let killed = 0
    let imports = 0
    await inLanes(async () => {
      while (killed < KILLS - named) {
        imports += 1
        const random = randomOf(SEED + imports)
        const fates = Array.from(
          { length: random.whole(2, 3) },
          (): Fate => ({ at: 'after', nth: random.whole(0, 700), end: random.pick(VICTIMS) }),
        )
        killed += await withSeed(`import ${imports}, ${fatefulName(fates)}`, importThrough(fates, random))
      }
    })
  })
})

describe('a worker that is killed while it has a job', () => {
  test('leaves it to another, which takes it over within a minute', { timeout: 3 * MINUTE_MS }, async () => {
    const site = await newSite()
    const filename = await upload(site, [{ at: 'committed', nth: 1, end: 'hold' }])
    const jobId = await startImport(site, filename)
    const held = await importHeld(service.data, site.siteId)
    const dead = service.workers.find(({ pid }) => pid === held.worker)
    await dead?.kill()
    // Its child goes with it.
    await eventually(() => expect(isRunning(held.child)).toBe(false))
    expect((await site.call('GET', `/jobs/${jobId}`)).body).toMatchObject({ resolved: false, retryCount: 1 })
    const job = await eventuallyWithin(async () => {
      const { body } = await site.call('GET', `/jobs/${jobId}`)
      expect(body.retryCount).toBe(2)
      return body as Job
    }, MINUTE_MS)
    expect(job.resolved === false || job.status === 'SUCCESS').toBe(true)
    held.letGo()
    expect(await site.resolved(jobId)).toMatchObject({
      status: 'SUCCESS',
      output: { created: source.counts, skipped: 0 },
    })
    await expectWhole(service, site, source)
  })
})

describe('two workers', () => {
  test.each(['written', 'committed'] as const)(
    'of which one is frozen at "%s" and wakes when the other has done its job write nothing twice',
    async (at) => {
      const site = await newSite()
      const jobId = await startImport(site, await upload(site, [{ at, nth: 2, end: 'hold' }]))
      const held = await importHeld(service.data, site.siteId)
      for (const pid of [held.worker, held.child]) process.kill(pid, 'SIGSTOP')
      try {
        await expireLease(service.db, jobId)
        // Frozen in a transaction, it holds the locks of the job and of the site until the database has had enough of it.
        await eventuallyWithin(async () => {
          expect((await site.call('GET', `/jobs/${jobId}`)).body.retryCount).toBe(2)
        }, MINUTE_MS)
        expect(await site.resolved(jobId)).toMatchObject({
          status: 'SUCCESS',
          retryCount: 2,
          output: { created: source.counts, skipped: 0 },
        })
      } finally {
        held.letGo()
        for (const pid of [held.worker, held.child]) process.kill(pid, 'SIGCONT')
      }
      await eventually(() => expect(isRunning(held.child)).toBe(false))
      const { body } = await site.call('GET', `/jobs/${jobId}`)
      expect(body).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
      await expectWhole(service, site, source)
      await nothingIsLeft()
    },
  )

  test('import one upload that is asked for twice only once', async () => {
    const site = await newSite()
    const filename = await upload(site, [])
    const ids = await Promise.all([startImport(site, filename), startImport(site, filename)])
    const jobs = await Promise.all(ids.map((id) => site.resolved(id)))
    const [done, other] = jobs[0]?.status === 'SUCCESS' ? jobs : jobs.toReversed()
    expect(done).toMatchObject({ status: 'SUCCESS', output: { created: source.counts, skipped: 0 } })
    // The first one has used it up.
    expect(other).toMatchObject({
      status: 'ERROR',
      output: { message: expect.stringMatching(/gone: upload it again/) },
    })
    await expectWhole(service, site, source)
  })

  test('killed while two uploads of the same requests wait for each other bring each request once', async () => {
    const site = await newSite()
    const names = await Promise.all([
      source.uploadAs(site, fatefulName([{ at: 'written', nth: 2, end: 'both' }], 'one')),
      source.uploadAs(site, fatefulName([{ at: 'extracted', nth: 3, end: 'worker' }], 'two')),
    ])
    const ids = await Promise.all(names.map((name) => startImport(site, name)))
    const jobs = await Promise.all(ids.map((id) => site.resolved(id)))
    for (const job of jobs) expect(job).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
    expectCounts(jobs)
    expect(jobs.map(({ output }) => (output as ImportOutput).created.tickets).sort()).toEqual([0, REQUESTS])
    await expectWhole(service, site, source)
  })
})
