import type { ImportOutput, Job } from '@plantroom/contract/jobs'
import { isRunning } from '@plantroom/testkit/child-program'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { crashingName } from './support/import-crash.ts'
import { importPaused } from './support/import-pause.ts'
import { expectCounts, type ImportTrials, REQUESTS, startImportTrials } from './support/import-trials.ts'
import { expireLease } from './support/job-lease.ts'
import { expectWhole } from './support/site-audit.ts'

const MINUTE_MS = 60_000

let trials: ImportTrials

beforeAll(async () => {
  trials = await startImportTrials()
})
afterAll(() => trials?.[Symbol.asyncDispose]())

// The suite kills workers in import-resumption.test.ts.
describe.runIf(isCampaign)('an import whose worker is killed', () => {
  test('is taken over by another worker within a minute', { timeout: 3 * MINUTE_MS }, async () => {
    const { service, source, newSite, upload, startImport } = trials
    const site = await newSite()
    const filename = await upload(site, [{ at: 'committed', nth: 1, end: 'pause' }])
    const jobId = await startImport(site, filename)
    const paused = await importPaused(service.data, site.siteId)
    await service.workers.find(({ pid }) => pid === paused.worker)?.kill()
    // The child ends with its worker.
    await eventually(() => expect(isRunning(paused.child)).toBe(false))
    expect((await site.call('GET', `/jobs/${jobId}`)).body).toMatchObject({ resolved: false, retryCount: 1 })
    const job = await eventually(async () => {
      const { body } = await site.call('GET', `/jobs/${jobId}`)
      expect(body.retryCount).toBe(2)
      return body as Job
    }, MINUTE_MS)
    expect(job.resolved === false || job.status === 'SUCCESS').toBe(true)
    paused.resume()
    expect(await site.resolved(jobId)).toMatchObject({
      status: 'SUCCESS',
      output: { created: source.counts, skipped: 0 },
    })
    await expectWhole(service, site, source)
  })
})

describe('two workers', () => {
  test.each(isCampaign ? (['written', 'committed'] as const) : (['written'] as const))(
    'write nothing twice when one freezes at "%s" and wakes after the other finished its job',
    async (at) => {
      const { service, source, newSite, upload, startImport } = trials
      const site = await newSite()
      const jobId = await startImport(site, await upload(site, [{ at, nth: 2, end: 'pause' }]))
      const paused = await importPaused(service.data, site.siteId)
      for (const pid of [paused.worker, paused.child]) process.kill(pid, 'SIGSTOP')
      try {
        await expireLease(service.db, jobId)
        // Frozen in a transaction, it holds the locks of the job and of the site until the database ends its session.
        await eventually(async () => {
          expect((await site.call('GET', `/jobs/${jobId}`)).body.retryCount).toBe(2)
        }, MINUTE_MS)
        expect(await site.resolved(jobId)).toMatchObject({
          status: 'SUCCESS',
          retryCount: 2,
          output: { created: source.counts, skipped: 0 },
        })
      } finally {
        paused.resume()
        for (const pid of [paused.worker, paused.child]) process.kill(pid, 'SIGCONT')
      }
      await eventually(() => expect(isRunning(paused.child)).toBe(false))
      const { body } = await site.call('GET', `/jobs/${jobId}`)
      expect(body).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
      await expectWhole(service, site, source)
      await trials.expectLeftoversRemoved()
    },
  )

  test('import an upload once when two imports of it are requested', async () => {
    const { service, source, newSite, upload, startImport } = trials
    const site = await newSite()
    const filename = await upload(site, [])
    const ids = await Promise.all([startImport(site, filename), startImport(site, filename)])
    const jobs = await Promise.all(ids.map((id) => site.resolved(id)))
    expect(jobs).toContainEqual(
      expect.objectContaining({
        status: 'SUCCESS',
        output: expect.objectContaining({ created: source.counts, skipped: 0 }),
      }),
    )
    // The other one waited, and found everything on the site.
    expect(jobs).toContainEqual(
      expect.objectContaining({
        status: 'SUCCESS',
        output: expect.objectContaining({ skipped: source.counts.tickets }),
      }),
    )
    await expectWhole(service, site, source)
  })

  test('create each request once when both are killed while two uploads of the same requests are imported', async () => {
    const { service, source, newSite, startImport } = trials
    const site = await newSite()
    const names = await Promise.all([
      source.uploadAs(site, crashingName([{ at: 'written', nth: 2, end: 'both' }], 'one')),
      source.uploadAs(site, crashingName([{ at: 'extracted', nth: 3, end: 'worker' }], 'two')),
    ])
    const ids = await Promise.all(names.map((name) => startImport(site, name)))
    const jobs = await Promise.all(ids.map((id) => site.resolved(id)))
    for (const job of jobs) {
      expect(job).toMatchObject({ status: 'SUCCESS' })
      // On a busy machine it may be one more: what counts is that nothing is created twice.
      expect(job.retryCount).toBeGreaterThanOrEqual(2)
    }
    expectCounts(jobs)
    expect(jobs.map(({ output }) => (output as ImportOutput).created.tickets).sort()).toEqual([0, REQUESTS])
    await expectWhole(service, site, source)
  })
})
