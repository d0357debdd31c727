import type { Clock } from '@plantroom/base/clock'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import { isRecorded, lockUnusedPartUpload, removeUpload } from './part-upload-store.ts'
import { UPLOAD_KEPT_MS } from './upload-store.ts'

interface SweepPartsDeps {
  db: Db
  files: Pick<FileStore, 'parts'>
  clock: Clock
}

/**
 * Removes uploads in parts that nobody has continued for seven days, and what a process left in the store that ended at
 * the wrong moment. Returns how many. Several workers may sweep at a time.
 */
export async function sweepPartUploads({ db, files, clock }: SweepPartsDeps): Promise<number> {
  const before = new Date(clock.now() - UPLOAD_KEPT_MS)
  let removed = 0
  while (await removeUnused({ db, files }, before)) removed += 1
  for await (const upload of files.parts.list(before)) {
    if (await isRecorded(db, upload.storeId)) continue
    await files.parts.abort(upload)
    removed += 1
  }
  return removed
}

async function removeUnused({ db, files }: Pick<SweepPartsDeps, 'db' | 'files'>, before: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const upload = await lockUnusedPartUpload(tx, before)
    if (!upload) return false
    if (!upload.completedAt) await files.parts.abort(upload)
    await removeUpload(tx, upload.id)
    return true
  })
}
