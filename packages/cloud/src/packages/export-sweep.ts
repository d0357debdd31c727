import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FileStore } from '../files/file-store.ts'
import { exportKey } from '../files/keys.ts'
import type { ExportSweepStore } from './export-sweep-store.ts'

export interface SweepDeps {
  store: ExportSweepStore
  files: Pick<FileStore, 'remove'>
  clock: Clock
  log: Log
}

const DAY_MS = 86_400_000
/** A package holds personal data, and another can be made at any time. */
export const EXPORT_KEPT_MS = 7 * DAY_MS
const LOOK_MS = DAY_MS / 24
const AT_ONCE = 100

/**
 * Removes the packages of exports that ended more than seven days ago, and at once what a failed one may have left; the
 * jobs stay. Returns how many were removed for their age.
 */
export async function sweepExports({ store, files, clock }: SweepDeps): Promise<number> {
  const before = new Date(clock.now() - EXPORT_KEPT_MS)
  for (const { siteId, jobId } of await store.listFailed(before)) await files.remove(exportKey(siteId, jobId))
  let removed = 0
  for (;;) {
    const old = await store.listOld(before, AT_ONCE)
    if (old.length === 0) return removed
    for (const one of old) {
      await files.remove(exportKey(one.siteId, one.jobId))
      await store.markRemoved(one)
      removed += 1
    }
  }
}

/** Sweeps every hour; the returned function ends it. */
export function startExportSweep(deps: SweepDeps): () => void {
  const sweep = () =>
    void sweepExports(deps).then(
      (removed) => removed > 0 && deps.log.info({ removed }, 'old exports were removed'),
      (error: Error) => deps.log.warn({ error: error.message }, 'old exports could not be removed; trying again'),
    )
  sweep()
  return every(deps.clock, LOOK_MS, sweep)
}
