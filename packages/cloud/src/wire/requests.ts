import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { CloudConfig } from '../config.ts'
import type { DatabaseAddress, Db } from '../db/database.ts'
import { diskRoutes } from '../files/disk-routes.ts'
import { createJobReportStore } from '../jobs/job-report-store.ts'
import { createJobStore } from '../jobs/job-store.ts'
import { type JobQueue, openJobQueue } from '../jobs/queue.ts'
import { acceptJob } from '../jobs/transitions.ts'
import { jobEventRoutes } from '../packages/job-event-routes.ts'
import { createJobEvents } from '../packages/job-events.ts'
import { jobReportRoutes } from '../packages/job-report-routes.ts'
import { jobRoutes } from '../packages/job-routes.ts'
import { schemaRoutes } from '../packages/schema-routes.ts'
import { uploadRoutes } from '../packages/upload-routes.ts'
import type { EventStreams } from '../streams/index.ts'
import { type Files, openFiles } from '../wire-files.ts'
import { addTicketRoutes } from '../wire-tickets.ts'

/** The files and the job queue behind maintenance requests. */
export interface RequestStorage {
  files: Files
  queue: JobQueue
}

export async function openRequestStorage(
  config: CloudConfig,
  deps: { address: DatabaseAddress; baseUrl(): string; parts: AsyncDisposableStack; clock: Clock; log: Log },
): Promise<RequestStorage> {
  const { address, parts, log } = deps
  const queue = await openJobQueue({ address, connections: 2, log })
  parts.defer(() => queue.close())
  return { queue, files: await openFiles(config, deps) }
}

/** Adds the routes for maintenance requests, their packages and their files. */
export async function registerRequests(
  app: FastifyInstance,
  deps: RequestStorage & { db: Db; streams: EventStreams; clock: Clock; log: Log },
): Promise<void> {
  const { queue, files, db, streams, clock, log } = deps
  const store = createJobStore(db)
  schemaRoutes(app)
  uploadRoutes(app, { files: files.store })
  if (files.disk) await diskRoutes(app, { disk: files.disk, clock, log })
  jobRoutes(app, { accept: (job) => acceptJob({ db, queue }, job), store, files: files.store, clock })
  jobEventRoutes(app, { store, files: files.store, events: createJobEvents({ store, clock }), streams })
  jobReportRoutes(app, { store, reports: createJobReportStore(db) })
  addTicketRoutes(app, { db, files: files.store, clock })
}
