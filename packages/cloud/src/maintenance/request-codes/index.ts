/** Requests by people without an account: printed codes, and the form that they lead to. */
import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import { codeRoutes } from './code-routes.ts'
import { formRoutes } from './form-routes.ts'

export function register(
  app: FastifyInstance,
  deps: { db: Db; files: Pick<FileStore, 'openBlobBatch'>; activity: ActivityLog; clock: Clock; baseUrl(): string },
): void {
  codeRoutes(app, deps)
  formRoutes(app, deps)
}
