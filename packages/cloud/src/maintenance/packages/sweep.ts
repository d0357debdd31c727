import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../../platform/db/database.ts'
import { exportKey, type FileStore } from '../../platform/files/index.ts'
import { type Duty, sweep } from '../../platform/work/index.ts'
import { listFailedExports, listOldExports, listSurplusExports, markExportRemoved } from './outcome-store.ts'

interface SweepDeps {
  db: Db
  files: Pick<FileStore, 'remove'>
  clock: Clock
  log: Log
  /** How many finished exports of a site keep their package. */
  exportsKept: number
}

const DAY_MS = 86_400_000
/** How long exports are kept. They contain personal data, and the user can export again at any time. */
export const EXPORT_KEPT_MS = 7 * DAY_MS
const SWEEP_MS = DAY_MS / 24
const BATCH = 100

/**
 * Removes the packages of exports that ended more than seven days ago or are followed by enough newer ones, and those that
 * failed exports left behind. The jobs stay. Returns the number of packages removed. Several workers may sweep at a time.
 */
export async function sweepExports({ db, files, clock, exportsKept }: SweepDeps): Promise<number> {
  const before = new Date(clock.now() - EXPORT_KEPT_MS)
  for (const { siteId, jobId } of await listFailedExports(db, before)) await files.remove(exportKey(siteId, jobId))
  const old = await removeExports({ db, files }, () => listOldExports(db, before, BATCH))
  return old + (await removeExports({ db, files }, () => listSurplusExports(db, { kept: exportsKept, limit: BATCH })))
}

/**
 * Removes all but the newest exports of a site. An export calls it when it has stored its own package, which is not finished
 * yet and not counted.
 */
export async function removeSurplusExports(
  deps: { db: Db; files: Pick<FileStore, 'remove'> },
  siteId: string,
  kept: number,
): Promise<void> {
  await removeExports(deps, () => listSurplusExports(deps.db, { siteId, kept, limit: BATCH }))
}

async function removeExports(
  { db, files }: { db: Db; files: Pick<FileStore, 'remove'> },
  list: () => Promise<{ siteId: string; jobId: string }[]>,
): Promise<number> {
  let removed = 0
  for (;;) {
    const found = await list()
    if (found.length === 0) return removed
    for (const { siteId, jobId } of found) {
      await files.remove(exportKey(siteId, jobId))
      await markExportRemoved(db, jobId)
      removed += 1
    }
  }
}

/** Removes exports every hour. */
export const exportSweep = (deps: SweepDeps): Duty =>
  sweep(deps, { name: 'old-exports', everyMs: SWEEP_MS, what: 'old exports', remove: () => sweepExports(deps) })
