import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { exportKey } from '../files/index.ts'
import { EXPORT_KEPT_MS, startExportSweep, sweepExports } from './export-sweep.ts'
import { openExportBench } from './testing/export-bench.ts'
import { NOW } from './testing/import-bench.ts'

async function open() {
  const bench = await openExportBench()
  const site = await bench.addSite()
  const clock = createManualClock(NOW)
  const deps = { db: bench.db, files: bench.files, clock, log: createLog('test', 'silent') }
  /** Adds an export that ended at this time. */
  async function exported(at: number): Promise<string> {
    const { job, output } = await bench.exportSite(site)
    await sql`UPDATE job SET status = 'SUCCESS', lease_until = NULL, resolved = true, finished_at = ${new Date(at)},
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
    onTestFinished(startExportSweep(deps))
    await eventually(async () => expect(await isThere(first)).toBe(false))
    const second = await exported(NOW - EXPORT_KEPT_MS - 1)
    clock.advanceNow(3_600_000)
    await eventually(async () => expect(await isThere(second)).toBe(false))
  })
})
