/** Moves maintenance requests in and out of a site as packages: preview, import, export. */
import type { Clock } from '@plantroom/base/clock'
import type { PackageJobName } from '@plantroom/contract/jobs'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { type FileStore, freeBytes } from '../../platform/files/index.ts'
import { createJobStore, type JobHandlers, type JobQuota } from '../../platform/jobs/index.ts'
import type { EventStreams } from '../../platform/streams/index.ts'
import { createExportStore } from '../requests/index.ts'
import { exportPackage } from './export.ts'
import { fillFromPackage, previewFill } from './fill.ts'
import { type ImportDeps, importPackage } from './import.ts'
import { acceptRecorded } from './job-activity.ts'
import { createJobEvents } from './job-events.ts'
import { JOB_KINDS } from './job-kinds.ts'
import { jobReportRoutes } from './job-report-routes.ts'
import { jobEventRoutes, jobRoutes } from './job-routes.ts'
import { requireTargets } from './match-store.ts'
import { packageRoutes } from './package-routes.ts'
import { previewPackage } from './preview.ts'
import { createReportStore } from './report-store.ts'
import { removeSurplusExports } from './sweep.ts'

export { createExtractor } from './extract.ts'
export type { ImportDeps, ImportPoint } from './import.ts'
export { acceptExport, acceptRecorded, recordEnding } from './job-activity.ts'
export { JOB_KINDS } from './job-kinds.ts'
export { firstSamples } from './sample.ts'
export { removeSamples } from './sample-store.ts'
export { exportSweep } from './sweep.ts'

/** Adds the routes of packages and their jobs. */
export function register(
  app: FastifyInstance,
  deps: {
    db: Db
    activity: ActivityLog
    files: FileStore
    streams: EventStreams
    quota: { unfinishedJobs: JobQuota }
    clock: Clock
  },
): void {
  const { db, activity, files, streams, quota, clock } = deps
  const store = createJobStore(db, JOB_KINDS)
  packageRoutes(app, {
    accept: (job, request) => acceptRecorded({ activity, quota: quota.unfinishedJobs }, job, request),
    requireTargets: (siteId, options) => requireTargets(db, siteId, options),
    files,
    clock,
  })
  jobRoutes(app, { store, files })
  jobEventRoutes(app, { store, files, events: createJobEvents({ store, clock }), streams })
  jobReportRoutes(app, { store, reports: createReportStore(db) })
}

/** Returns the handlers of package jobs, for a job process. */
export function createJobHandlers(
  deps: ImportDeps & { schemaUrl: string | undefined; exportsKept: number },
): Pick<JobHandlers, PackageJobName> {
  const { db, files, folder, schemaUrl, clock } = deps
  const free = () => freeBytes(folder)
  const exportDeps = { store: createExportStore(db), files, folder, schemaUrl, freeBytes: free, clock }
  return {
    PREVIEW_TICKET_IMPORT: (tools) => previewPackage(tools, deps),
    TICKET_IMPORT: (tools) => importPackage(tools, deps),
    async TICKET_EXPORT(tools) {
      const output = await exportPackage(tools, exportDeps)
      // The hourly sweep would be too late for a caller who exports a large site in a loop. It removes what is left here.
      await removeSurplusExports(deps, tools.job.siteId, deps.exportsKept - 1).catch(() => {})
      return output
    },
    PREVIEW_TICKET_FILL: (tools) => previewFill(tools, deps),
    TICKET_FILL: (tools) => fillFromPackage(tools, deps),
  }
}
