/** Exports the requests of sites by a schedule, to buckets, WebDAV folders and folders of the operator. */
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import type { JobQuota } from '../../platform/jobs/index.ts'
import { createGuard } from '../../platform/outbound/index.ts'
import { createSeal, loadSealKey } from '../../platform/seal/index.ts'
import { createDeliveryStore } from './delivery-store.ts'
import { exportRoutes } from './export-routes.ts'
import { findRecovered, findTroubles } from './trouble-store.ts'
import { deliveries, duties } from './work.ts'

export { DELIVERIES as EXPORT_DELIVERIES } from './delivery-store.ts'

/** What alerts about automatic exports are decided from. */
export const exportTroubles = { findTroubles, findRecovered }

interface Settings {
  folder: string
  factorKey: string | undefined
  /** Private networks that targets may lead to. */
  webhookNetworks: readonly string[]
  /** The folder for exports; `undefined` offers none. */
  exportFolder: string | undefined
}

async function partsOf({ folder, factorKey, webhookNetworks, exportFolder }: Settings) {
  const seal = createSeal(await loadSealKey(folder, factorKey), 'exports')
  return { seal, guard: createGuard({ privateNetworks: webhookNetworks }), exportFolder }
}

/** Adds the routes of automatic exports. */
export async function register(
  app: FastifyInstance,
  { settings, ...deps }: { db: Db; activity: ActivityLog; settings: Settings; clock: Clock },
): Promise<void> {
  exportRoutes(app, { ...deps, ...(await partsOf(settings)) })
}

/** What a worker does for automatic exports. */
export async function automaticExportWork({
  settings,
  ...deps
}: {
  db: Db
  activity: ActivityLog
  files: Pick<FileStore, 'read' | 'stat'>
  settings: Settings
  quota: JobQuota
  clock: Clock
  log: Log
}) {
  const kind = deliveries({ ...deps, ...(await partsOf(settings)), store: createDeliveryStore(deps.db) })
  return { kind, duties: duties(deps) }
}
