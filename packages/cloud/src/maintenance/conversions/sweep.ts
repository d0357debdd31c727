import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../../platform/db/database.ts'
import { exportKey, type FileStore } from '../../platform/files/index.ts'
import { type Duty, sweep } from '../../platform/work/index.ts'
import { forgetAccount, forgetOldQuotes, listOldAccounts } from './conversion-store.ts'

const DAY_MS = 86_400_000
/** How long reports of conversions are kept, as long as the files that they quote. */
export const REPORT_KEPT_MS = 7 * DAY_MS
const SWEEP_MS = DAY_MS / 24
const BATCH = 100

interface SweepDeps {
  db: Db
  files: Pick<FileStore, 'remove'>
  clock: Clock
  log: Log
}

/** Removes what conversions quote from exports after seven days. The jobs stay. Returns how many lost something. */
export async function sweepConversions({ db, files, clock }: Omit<SweepDeps, 'log'>): Promise<number> {
  const before = new Date(clock.now() - REPORT_KEPT_MS)
  let removed = await forgetOldQuotes(db, before)
  for (;;) {
    const old = await listOldAccounts(db, before, BATCH)
    if (old.length === 0) return removed
    for (const { siteId, jobId } of old) {
      await files.remove(exportKey(siteId, jobId))
      await forgetAccount(db, jobId)
      removed += 1
    }
  }
}

/** Removes old reports every hour. */
export const conversionSweep = (deps: SweepDeps): Duty =>
  sweep(deps, {
    ...{ name: 'old-conversions', everyMs: SWEEP_MS, what: 'old reports of conversions' },
    remove: () => sweepConversions(deps),
  })
