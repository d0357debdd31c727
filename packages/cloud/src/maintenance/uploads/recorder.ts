import type { Clock } from '@plantroom/base/clock'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import { requireRoom } from './stored-uploads.ts'
import { recordUpload, type Upload } from './upload-store.ts'

/** What one organization may upload. */
export interface UploadQuota {
  /** Names under which packages are uploaded. */
  packagesPerOrganization: number
  packageBytesPerOrganization: number
}

/** Records the name of an upload, so that the file is removed if nobody uses it. Throws when there are too many. */
export type UploadRecorder = (upload: Upload) => Promise<void>

/** Returns a function that records an upload whose size is not known, within the quota. */
export function createUploadRecorder(deps: {
  db: Db
  files: Pick<FileStore, 'listPackages' | 'limitsUploads'>
  quota: UploadQuota
  clock: Clock
}): UploadRecorder {
  const { db, files, quota, clock } = deps
  return async (upload) => {
    await requireRoom(files, upload.organizationId, quota.packageBytesPerOrganization)
    await recordUpload(db, upload, { at: new Date(clock.now()), max: quota.packagesPerOrganization })
  }
}
