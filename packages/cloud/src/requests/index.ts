/** Maintenance requests of a site with their comments, units, tags and people. */
import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../activity/index.ts'
import type { Db } from '../db/database.ts'
import type { FileStore } from '../files/index.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { createCommentStore } from './comment-store.ts'
import { labelRoutes } from './label-routes.ts'
import { createLabelStore } from './label-store.ts'
import { personRoutes } from './person-routes.ts'
import { createPersonStore } from './person-store.ts'
import { requestListRoutes } from './request-list-routes.ts'
import { createRequestListStore } from './request-list-store.ts'
import { requestRoutes } from './request-routes.ts'
import { createRequestStore } from './request-store.ts'
import { viewRoutes } from './view-routes.ts'
import { createViewStore } from './view-store.ts'

export { emptyValues } from './column-values.ts'
export {
  createExportStore,
  type ExportStore,
  type SiteSnapshot,
  type SiteTotals,
  type StoredFile,
  type StoredRequest,
} from './export-store.ts'
export {
  type ImportedAttachment,
  type ImportedPerson,
  type ImportedRequest,
  insertParts,
  insertRequests,
  insertTags,
} from './import-store.ts'
export { lockNumbers } from './request-number-store.ts'

export interface RequestDeps {
  db: Db
  files: Pick<FileStore, 'downloadUrl'>
  activity: ActivityLog
  clock: Clock
}

/** Adds the routes of maintenance requests. */
export function register(app: FastifyInstance, { db, files, activity, clock }: RequestDeps): void {
  requestListRoutes(app, { list: createRequestListStore(db) })
  requestRoutes(app, {
    requests: createRequestStore(db),
    comments: createCommentStore(db),
    activity,
    files,
    clock,
  })
  bulkRoutes(app, { activity, clock })
  viewRoutes(app, { views: createViewStore(db), activity, clock })
  personRoutes(app, { people: createPersonStore(db), activity })
  labelRoutes(app, { labels: createLabelStore(db), activity })
}
