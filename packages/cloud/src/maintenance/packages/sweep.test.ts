import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { RequestSample } from '@plantroom/contract/request-sample'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { exportKey, packageKey } from '../../platform/files/index.ts'
import { startDuties } from '../../platform/work/index.ts'
import { requireRoom } from '../uploads/stored-uploads.ts'
import { sweepUploads } from '../uploads/sweep.ts'
import { recordUpload, UPLOAD_KEPT_MS } from '../uploads/upload-store.ts'
import { listSamples, removeSamples, saveSamples } from './sample-store.ts'
import { EXPORT_KEPT_MS, exportSweep, removeSurplusExports, sweepExports } from './sweep.ts'
import { openExportBench } from './testing/export-bench.ts'
import { NOW } from './testing/import-bench.ts'

async function open() {
  const bench = await openExportBench()
  const site = await bench.addSite()
  const clock = createManualClock(NOW)
  const deps = {
    db: bench.db,
    files: bench.files,
    clock,
    log: createLog('test', 'silent'),
    exportsKept: 3,
    maxPackageBytes: 1e9,
    removeQuotes: removeSamples,
  }
  /** Adds an export that ended at this time. */
  async function exported(at: number): Promise<string> {
    const { job, output } = await bench.exportSite(site)
    await sql`UPDATE job SET status = 'SUCCESS', leased_until = NULL, resolved = true, finished_at = ${new Date(at)},
      output = ${JSON.stringify(output)} WHERE id = ${job.id}`.execute(bench.db)
    return job.id
  }
  const isThere = async (jobId: string) => (await bench.files.stat(exportKey(site.id, jobId))) !== undefined
  return { ...bench, site, clock, deps, exported, isThere }
}

describe('the package of an export', () => {
  test('is removed once after seven days, and the job then has no download address', async () => {
    const { db, deps, exported, isThere, clock } = await open()
    const [old, recent] = [await exported(NOW - 1), await exported(NOW + 1)]
    expect(await sweepExports(deps)).toBe(0)
    await clock.advance(EXPORT_KEPT_MS)
    expect(await sweepExports(deps)).toBe(1)
    expect([await isThere(old), await isThere(recent)]).toEqual([false, true])
    const row = await db.selectFrom('job').where('id', '=', old).select(['status', 'output']).executeTakeFirst()
    expect(row).toMatchObject({ status: 'SUCCESS', output: { url: '', tickets: 0, filename: expect.any(String) } })
    expect(await sweepExports(deps)).toBe(0)
  })

  test('may be missing already', async () => {
    const { deps, exported, files, site, clock } = await open()
    const old = await exported(NOW - 1)
    await files.remove(exportKey(site.id, old))
    await clock.advance(EXPORT_KEPT_MS)
    expect(await sweepExports(deps)).toBe(1)
  })

  test('is removed immediately when the export failed', async () => {
    const { db, deps, exported, isThere } = await open()
    const [failed, good] = [await exported(NOW), await exported(NOW)]
    await sql`UPDATE job SET status = 'ERROR', output = '{"message": "No"}' WHERE id = ${failed}`.execute(db)
    expect(await sweepExports(deps)).toBe(0)
    expect([await isThere(failed), await isThere(good)]).toEqual([false, true])
  })

  test('is checked at the start and every hour', async () => {
    const { deps, exported, isThere, clock } = await open()
    const first = await exported(NOW - EXPORT_KEPT_MS - 1)
    const running = await startDuties(deps, [exportSweep(deps)])
    onTestFinished(() => running.stop())
    await eventually(async () => expect(await isThere(first)).toBe(false))
    const second = await exported(NOW - EXPORT_KEPT_MS - 1)
    await eventually(async () => {
      clock.advanceNow(3_600_000)
      expect(await isThere(second)).toBe(false)
    })
  })
})

describe('the packages of many exports', () => {
  test('are removed beyond the newest few of each site', async () => {
    const { deps, exported, isThere } = await open()
    const ids = [await exported(NOW - 4), await exported(NOW - 3), await exported(NOW - 2), await exported(NOW - 1)]
    expect(await sweepExports({ ...deps, exportsKept: 2 })).toBe(2)
    expect(await Promise.all(ids.map(isThere))).toEqual([false, false, true, true])
  })

  test('are removed once by sweeps that run at the same time', async () => {
    const { db, deps, exported, isThere } = await open()
    const ids = [await exported(NOW - 3), await exported(NOW - 2), await exported(NOW - 1)]
    await Promise.all([1, 2, 3].map(() => sweepExports({ ...deps, exportsKept: 1 })))
    expect(await Promise.all(ids.map(isThere))).toEqual([false, false, true])
    const { rows } = await sql`SELECT FROM job WHERE output ->> 'url' = ''`.execute(db)
    expect(rows).toHaveLength(2)
  })

  test('are removed as soon as the next export has stored its own, on this site only', async () => {
    const { deps, exported, isThere, site } = await open()
    const ids = [await exported(NOW - 3), await exported(NOW - 2), await exported(NOW - 1)]
    await removeSurplusExports(deps, 'another site', 0)
    await removeSurplusExports(deps, site.id, 1)
    expect(await Promise.all(ids.map(isThere))).toEqual([false, false, true])
  })
})

describe('an uploaded package', () => {
  async function openUploads() {
    const bench = await open()
    const { db, files, site, upload, clock } = bench
    const record = (filename: string) =>
      recordUpload(db, { organizationId: 'org', siteId: site.id, filename }, { at: new Date(clock.now()), max: 10 })
    async function uploaded(filename: string) {
      await record(filename)
      return upload(site, [], {}, filename)
    }
    const exists = async (filename: string) => (await files.stat(packageKey('org', site.id, filename))) !== undefined
    const endJob = (id: string, status: 'SUCCESS' | 'ERROR') =>
      sql`UPDATE job SET status = ${status}, resolved = true, leased_until = NULL,
        finished_at = ${new Date(clock.now())} WHERE id = ${id}`.execute(db)
    return { ...bench, record, uploaded, exists, endJob }
  }

  test('that nobody uses is removed after seven days, also by two workers at a time', async () => {
    const { deps, uploaded, exists, clock } = await openUploads()
    await uploaded('a.fpl')
    await uploaded('b.fpl')
    await clock.advance(UPLOAD_KEPT_MS)
    expect(await sweepUploads(deps)).toBe(0)
    expect([await exists('a.fpl'), await exists('b.fpl')]).toEqual([true, true])
    await clock.advance(1)
    const removed = await Promise.all([sweepUploads(deps), sweepUploads(deps)])
    expect(removed.reduce((sum, count) => sum + count)).toBe(2)
    expect([await exists('a.fpl'), await exists('b.fpl')]).toEqual([false, false])
  })

  test('stays while it is used: a new address, a preview or an import that failed begins the time again', async () => {
    const { deps, site, uploaded, record, exists, endJob, startJob, clock } = await openUploads()
    const [previewed, failed] = [await uploaded('previewed.fpl'), await uploaded('failed.fpl')]
    await uploaded('again.fpl')
    await clock.advance(UPLOAD_KEPT_MS - 1)
    const preview = await startJob(site, 'PREVIEW_TICKET_IMPORT', previewed)
    await saveSamples(deps.db, preview.id, [{ title: 'Quoted' } as RequestSample])
    await endJob(preview.id, 'SUCCESS')
    await endJob((await startJob(site, 'TICKET_IMPORT', failed)).id, 'ERROR')
    await record('again.fpl')
    await clock.advance(UPLOAD_KEPT_MS)
    expect(await sweepUploads(deps)).toBe(0)
    expect(await listSamples(deps.db, preview.id)).toHaveLength(1)
    await clock.advance(1)
    expect(await sweepUploads(deps)).toBe(3)
    expect(await listSamples(deps.db, preview.id)).toEqual([])
    for (const name of ['previewed.fpl', 'failed.fpl', 'again.fpl']) expect(await exists(name)).toBe(false)
  })

  test('stays while a job waits for it or reads it', async () => {
    const { deps, site, uploaded, exists, endJob, startJob, clock } = await openUploads()
    const job = await startJob(site, 'TICKET_IMPORT', await uploaded('a.fpl'))
    await clock.advance(2 * UPLOAD_KEPT_MS)
    expect(await sweepUploads(deps)).toBe(0)
    expect(await exists('a.fpl')).toBe(true)
    await endJob(job.id, 'ERROR')
    await clock.advance(UPLOAD_KEPT_MS + 1)
    expect(await sweepUploads(deps)).toBe(1)
  })
})

describe('a stored package', () => {
  /** Two organizations with packages, and a store that takes every upload, as a bucket does. */
  async function openStored() {
    const bench = await open()
    const { db, files, site, upload, clock } = bench
    const takesAll: typeof files = { ...files, limitsUploads: false }
    const sweep = (changes: { maxPackageBytes?: number } = {}) =>
      sweepUploads({ ...bench.deps, files: takesAll, ...changes })
    const exists = async (filename: string) => (await files.stat(packageKey('org', site.id, filename))) !== undefined
    const record = (filename: string) =>
      recordUpload(db, { organizationId: 'org', siteId: site.id, filename }, { at: new Date(clock.now()), max: 10 })
    const size = async (filename: string) => (await files.stat(packageKey('org', site.id, filename)))?.size ?? 0
    const store = (filename: string) => upload(site, [], {}, filename)
    return { ...bench, takesAll, sweep, exists, record, size, store }
  }
  /** Packages have the time of the disk. */
  const toNow = (clock: ManualClock) => clock.advance(Date.now() - clock.now())

  test('that no record leads to is removed after seven days, and one in use stays', async () => {
    const { sweep, store, record, exists, startJob, site, clock } = await openStored()
    await store('left.fpl')
    await store('recorded.fpl')
    const used = await store('used.fpl')
    await toNow(clock)
    expect(await sweep()).toBe(0)
    await clock.advance(UPLOAD_KEPT_MS + 60_000)
    await record('recorded.fpl')
    await startJob(site, 'PREVIEW_TICKET_IMPORT', used)
    expect(await sweep()).toBe(1)
    expect([await exists('left.fpl'), await exists('recorded.fpl'), await exists('used.fpl')]).toEqual([
      false,
      true,
      true,
    ])
  })

  test('is removed when its organization has stored more than it may, the newest first', async () => {
    const { deps, sweep, store, record, exists, size, clock } = await openStored()
    await toNow(clock)
    for (const name of ['first.fpl', 'second.fpl', 'third.fpl']) {
      await record(name)
      await store(name)
    }
    const maxPackageBytes = (await size('first.fpl')) + (await size('second.fpl'))
    // A store that limits uploads has no surplus: a smaller limit must not remove what was allowed.
    expect(await sweepUploads({ ...deps, maxPackageBytes: 1 })).toBe(0)
    expect(await sweep({ maxPackageBytes })).toBe(1)
    expect([await exists('first.fpl'), await exists('second.fpl'), await exists('third.fpl')]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('keeps its organization, and no other, from a further upload address', async () => {
    const { takesAll, files, store, size } = await openStored()
    await store('first.fpl')
    const max = await size('first.fpl')
    await expect(requireRoom(takesAll, 'org', max)).rejects.toMatchObject({
      kind: 'quota',
      message: expect.stringContaining(`its limit of ${max} bytes of uploaded packages`),
    })
    await requireRoom(takesAll, 'org', max + 1)
    await requireRoom(takesAll, 'org_other', max)
    await requireRoom(files, 'org', max)
    const unlisted = async function* () {
      yield* []
      throw new Failure('unavailable', 'the bucket does not allow lists')
    }
    await requireRoom({ listPackages: unlisted, limitsUploads: false }, 'org', max)
  })
})
