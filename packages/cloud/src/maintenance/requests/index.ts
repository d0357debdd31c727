/** Maintenance requests of a site with their comments, units, tags and people. */
import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import type { AttachableFiles } from './attach-uploads.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { commentRoutes } from './comment-routes.ts'
import { createCommentStore } from './comment-store.ts'
import { createHistoryStore } from './history-store.ts'
import { labelRoutes } from './label-routes.ts'
import { createLabelStore } from './label-store.ts'
import { personRoutes } from './person-routes.ts'
import { createPersonStore } from './person-store.ts'
import { requestListRoutes } from './request-list-routes.ts'
import { createRequestListStore } from './request-list-store.ts'
import { type LinkAlert, requestRoutes } from './request-routes.ts'
import { createRequestStore } from './request-store.ts'
import { viewRoutes } from './view-routes.ts'
import { createViewStore } from './view-store.ts'

export type { NewAttachment } from './attachment-store.ts'
export { createChangeStore } from './change-store.ts'
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
  applyFills,
  FILLABLE_COLUMNS,
  type Fill,
  type FillableRequest,
  findFillable,
  lockPeople,
} from './fill-store.ts'
export { type RecordedChange, recordChange } from './history-store.ts'
export { readImageHeader } from './image-header.ts'
export {
  type ImportedPerson,
  type ImportedRequest,
  insertLabels,
  insertParts,
  insertRequests,
} from './import-store.ts'
export { findMembers, insertPeople, nameCreatedPeople } from './person-store.ts'
export { lockNumbers } from './request-number-store.ts'
export type { LinkAlert } from './request-routes.ts'
export { commentByService } from './service-comment.ts'

export interface RequestDeps {
  db: Db
  files: AttachableFiles & Pick<FileStore, 'downloadUrl'>
  activity: ActivityLog
  clock: Clock
  /** Shows a new request with the alert that it is about. Throws when the site has no such alert. */
  linkAlert: LinkAlert
  /** The address of the console, for mail. */
  baseUrl(): string
}

/** Adds the routes of maintenance requests. */
export function register(app: FastifyInstance, deps: RequestDeps): void {
  const { db, files, activity, clock } = deps
  const requests = createRequestStore(db)
  const comments = createCommentStore(db)
  const history = createHistoryStore(db)
  requestListRoutes(app, { list: createRequestListStore(db) })
  requestRoutes(app, { ...deps, requests, comments, history })
  attachmentRoutes(app, { requests, files })
  commentRoutes(app, { ...deps, requests, comments })
  bulkRoutes(app, { activity, clock })
  viewRoutes(app, { views: createViewStore(db), activity, clock })
  personRoutes(app, { people: createPersonStore(db), activity })
  labelRoutes(app, { labels: createLabelStore(db), activity })
}
