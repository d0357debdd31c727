/** Turns exports of other systems into packages: upload, analysis, mapping, trial, conversion. */
import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import type { JobQuota } from '../../platform/jobs/index.ts'
import { acceptRecorded } from '../packages/index.ts'
import { createUploadRecorder, type UploadQuota } from '../uploads/index.ts'
import { createConversionStore } from './conversion-store.ts'
import { mappingRoutes } from './mapping-routes.ts'
import { createMappingStore } from './mapping-store.ts'
import { readRoutes } from './read-routes.ts'
import { startRoutes } from './start-routes.ts'

export { createConversionHandlers } from './conversion-jobs.ts'
export { conversionSweep } from './sweep.ts'

/** Adds the routes of conversions. */
export function register(
  app: FastifyInstance,
  deps: {
    db: Db
    activity: ActivityLog
    files: FileStore
    quota: UploadQuota & { unfinishedJobs: JobQuota }
    clock: Clock
  },
): void {
  const { db, activity, files, quota, clock } = deps
  const store = createConversionStore(db)
  startRoutes(app, {
    accept: (job, request) => acceptRecorded({ activity, quota: quota.unfinishedJobs }, job, request),
    recordUpload: createUploadRecorder(deps),
    store,
    files,
    activity,
    clock,
  })
  mappingRoutes(app, { mappings: createMappingStore(db), activity, clock })
  readRoutes(app, { store, files })
}
