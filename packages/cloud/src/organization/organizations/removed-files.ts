import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import { type Duty, sweep } from '../../platform/work/index.ts'

const HOUR_MS = 3_600_000
/** Until then, a backup that began before the removal has read the files that it lists. */
const KEPT_MS = 24 * HOUR_MS

interface SweepDeps {
  db: Db
  files: Pick<FileStore, 'removeSite'>
  clock: Clock
  log: Log
}

/** Removes the files of sites that were removed a day ago. Returns the number of sites. */
export async function sweepRemovedSites({ db, files, clock }: SweepDeps): Promise<number> {
  const due = await db
    .selectFrom('removed_site')
    .where('removed_at', '<=', new Date(clock.now() - KEPT_MS))
    .select(['site_id as siteId', 'organization_id as organizationId'])
    .execute()
  for (const { siteId, organizationId } of due) {
    await files.removeSite(organizationId, siteId)
    await db.deleteFrom('removed_site').where('site_id', '=', siteId).execute()
  }
  return due.length
}

/** Looks for files to remove every hour. */
export const removedSiteSweep = (deps: SweepDeps): Duty =>
  sweep(deps, {
    name: 'removed-sites',
    everyMs: HOUR_MS,
    what: 'the files of removed sites',
    remove: () => sweepRemovedSites(deps),
  })
