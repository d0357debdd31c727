/** Uploads of packages, of exports of other systems and of files to attach: addresses, parts, names, expiry. */
import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import { addressRoutes } from './address-routes.ts'
import { partUploadRoutes } from './part-upload-routes.ts'
import { createPartUploads } from './part-uploads.ts'
import { createUploadRecorder, type UploadQuota } from './stored-uploads.ts'
import { recordUpload } from './upload-store.ts'

export { planRemoval, removeImported } from './removal-store.ts'
export { createUploadRecorder, type UploadQuota, type UploadRecorder } from './stored-uploads.ts'
export { uploadSweeps } from './sweep.ts'
export { readFileName, readSourceName } from './upload-names.ts'
export { findAttachable, forgetUpload, takeAttachable } from './upload-store.ts'

/** Adds the routes of uploads. */
export function register(
  app: FastifyInstance,
  deps: { db: Db; activity: ActivityLog; files: FileStore; quota: UploadQuota; clock: Clock },
): void {
  const { db, activity, files, quota, clock } = deps
  addressRoutes(app, { recordUpload: createUploadRecorder(deps), files })
  const uploads = createPartUploads({
    ...{ db, files, activity, clock, maxBytes: quota.packageBytesPerOrganization },
    recordName: (upload) => recordUpload(db, upload, { at: new Date(clock.now()), max: quota.packagesPerOrganization }),
  })
  partUploadRoutes(app, { uploads })
}
