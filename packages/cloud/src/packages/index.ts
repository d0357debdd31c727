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
import { jobEventRoutes } from './job-event-routes.ts'
import { createJobEvents } from './job-events.ts'
import { JOB_KINDS } from './job-kinds.ts'
import { jobReportRoutes } from './job-report-routes.ts'
import { jobRoutes } from './job-routes.ts'
import { schemaRoutes, uploadRoutes } from './package-routes.ts'
import { previewPackage } from './preview.ts'
import { createReportStore } from './report-store.ts'

export { startExportSweep } from './export-sweep.ts'
export { createExportSweepStore } from './export-sweep-store.ts'
export { createExtractor } from './extract.ts'
export type { ImportDeps, ImportPoint } from './import.ts'
export { JOB_KINDS } from './job-kinds.ts'
export { readRequests } from './read-requests.ts'

export interface PackageRouteDeps {
  db: Db
  files: FileStore
  streams: EventStreams
  clock: Clock
}

/** Adds the routes of packages and their jobs. */
export function register(app: FastifyInstance, { db, files, streams, clock }: PackageRouteDeps): void {
  const store = createJobStore(db, JOB_KINDS)
  schemaRoutes(app)
  uploadRoutes(app, { files })
  jobRoutes(app, { accept: (job) => acceptJob({ db, kinds: JOB_KINDS }, job), store, files, clock })
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
