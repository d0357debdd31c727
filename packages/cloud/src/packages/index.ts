/** Moves maintenance requests in and out of a site as packages: upload, preview, import, export. */
import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import type { FileStore } from '../files/index.ts'
import { acceptJob, createJobStore, type JobHandlers } from '../jobs/index.ts'
import { createExportStore } from '../requests/index.ts'
import type { EventStreams } from '../streams/index.ts'
import { exportPackage } from './export.ts'
import { type ImportDeps, importPackage } from './import.ts'
import { createJobEvents } from './job-events.ts'
import { JOB_KINDS } from './job-kinds.ts'
import { jobReportRoutes } from './job-report-routes.ts'
import { jobEventRoutes, jobRoutes } from './job-routes.ts'
import { packageRoutes } from './package-routes.ts'
import { previewPackage } from './preview.ts'
import { createReportStore } from './report-store.ts'

export { startExportSweep } from './export-sweep.ts'
export { createExtractor } from './extract.ts'
export type { ImportDeps, ImportPoint } from './import.ts'
export { JOB_KINDS } from './job-kinds.ts'
export { readRequests } from './read-requests.ts'

/** Adds the routes of packages and their jobs. */
export function register(
  app: FastifyInstance,
  deps: { db: Db; files: FileStore; streams: EventStreams; clock: Clock },
): void {
  const { db, files, streams, clock } = deps
  const store = createJobStore(db, JOB_KINDS)
  packageRoutes(app, { accept: (job) => acceptJob({ db, kinds: JOB_KINDS }, job), files, clock })
  jobRoutes(app, { store, files })
  jobEventRoutes(app, { store, files, events: createJobEvents({ store, clock }), streams })
  jobReportRoutes(app, { store, reports: createReportStore(db) })
}

/** Returns the handlers of package jobs, for a job process. */
export function createJobHandlers(deps: ImportDeps & { schemaUrl: string }): JobHandlers {
  const { db, files, folder, schemaUrl, clock } = deps
  const exportDeps = { store: createExportStore(db), files, folder, schemaUrl, clock }
  return {
    PREVIEW_TICKET_IMPORT: (tools) => previewPackage(tools, deps),
    TICKET_IMPORT: (tools) => importPackage(tools, deps),
    TICKET_EXPORT: (tools) => exportPackage(tools, exportDeps),
  }
}
