import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../../platform/db/database.ts'
import { type FileStore, packageKey } from '../../platform/files/index.ts'
import { type Duty, sweep } from '../../platform/work/index.ts'
import { retryRemovals } from './removal-store.ts'
import { sweepStoredPackages } from './stored-uploads.ts'
import { sweepPartUploads } from './sweep-parts.ts'
import { forgetUpload, lockUnusedUpload, UPLOAD_KEPT_MS, type Upload } from './upload-store.ts'

interface SweepDeps {
  db: Db
  files: Pick<FileStore, 'remove' | 'listPackages' | 'limitsUploads' | 'parts'>
  clock: Clock
  log: Log
  /** What an organization may store as uploaded packages. */
  maxPackageBytes: number
  /** Removes what quotes an upload that is removed. */
  removeQuotes(trx: Db, upload: Upload): Promise<void>
}

const HOUR_MS = 3_600_000
const REMOVAL_MS = 5 * 60_000

/**
 * Removes uploads that nobody has used for seven days, and those beyond what an organization may store. Returns how many.
 */
export async function sweepUploads(deps: SweepDeps): Promise<number> {
  const { db, files, clock, maxPackageBytes: maxBytes } = deps
  const before = new Date(clock.now() - UPLOAD_KEPT_MS)
  const unused = await sweepUnused(deps, before)
  return unused + (await sweepStoredPackages({ db, files }, { before, maxBytes }))
}

async function sweepUnused({ db, files, removeQuotes }: SweepDeps, before: Date): Promise<number> {
  for (let removed = 0; ; removed += 1) {
    // The lock keeps a new upload address for this name waiting, so that its upload is not removed. It is no lease: the
    // duty is, and the transaction lasts as long as the removal of one file.
    const found = await db.transaction().execute(async (trx) => {
      const upload = await lockUnusedUpload(trx, before)
      if (!upload) return undefined
      await files.remove(packageKey(upload.organizationId, upload.siteId, upload.filename))
      await forgetUpload(trx, upload)
      await removeQuotes(trx, upload)
      return upload
    })
    if (!found) return removed
  }
}

/** What is removed every hour, and what imports left every five minutes. */
export const uploadSweeps = (deps: SweepDeps): Duty[] => [
  sweep(deps, { name: 'unused-packages', everyMs: HOUR_MS, what: 'unused packages', remove: () => sweepUploads(deps) }),
  sweep(deps, {
    ...{ name: 'unfinished-uploads', everyMs: HOUR_MS, what: 'unfinished uploads' },
    remove: () => sweepPartUploads(deps),
  }),
  sweep(deps, {
    ...{ name: 'imported-packages', everyMs: REMOVAL_MS, what: 'imported packages' },
    remove: () => retryRemovals(deps),
  }),
]
