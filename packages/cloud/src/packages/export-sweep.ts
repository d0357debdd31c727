import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../db/database.ts'
import { exportKey, type FileStore } from '../files/index.ts'
import { listFailedExports, listOldExports, markExportRemoved } from './outcome-store.ts'

interface SweepDeps {
  db: Db
  files: Pick<FileStore, 'remove'>
  clock: Clock
  log: Log
}

const DAY_MS = 86_400_000
/** How long exports are kept. They contain personal data, and the user can export again at any time. */
export const EXPORT_KEPT_MS = 7 * DAY_MS
const SWEEP_MS = DAY_MS / 24
const BATCH = 100

/**
 * Removes the packages of exports that ended more than seven days ago, and those that failed exports left behind. The jobs
 * stay. Returns the number of old packages removed.
 */
export async function sweepExports({ db, files, clock }: SweepDeps): Promise<number> {
  const before = new Date(clock.now() - EXPORT_KEPT_MS)
  for (const { siteId, jobId } of await listFailedExports(db, before)) await files.remove(exportKey(siteId, jobId))
  let removed = 0
  for (;;) {
    const old = await listOldExports(db, before, BATCH)
    if (old.length === 0) return removed
    for (const { siteId, jobId } of old) {
      await files.remove(exportKey(siteId, jobId))
      await markExportRemoved(db, jobId)
      removed += 1
    }
  }
}

/** Sweeps now and every hour until the returned function is called. */
export function startExportSweep(deps: SweepDeps): () => void {
  const sweep = () =>
    void sweepExports(deps).then(
      (removed) => removed > 0 && deps.log.info({ removed }, 'removed old exports'),
      (error: Error) => deps.log.warn({ error: error.message }, 'could not remove old exports; retrying in an hour'),
    )
  sweep()
  return every(deps.clock, SWEEP_MS, sweep)
}
