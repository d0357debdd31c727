/** Exports the requests of sites by a schedule, to buckets, WebDAV folders and folders of the operator. */
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import type { JobQuota } from '../../platform/jobs/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { createSeal, loadSealKey } from '../../platform/seal/index.ts'
import { createAskedTestStore, TESTS } from './asked-test-store.ts'
import { targetTests } from './asked-tests.ts'
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
  /** The folder for exports; `undefined` offers none. */
  exportFolder: string | undefined
}

async function partsOf({ folder, factorKey, exportFolder }: Settings, { guard, tenants }: Outbound) {
  const seal = createSeal(await loadSealKey(folder, factorKey), 'exports')
  return { seal, guard, transport: tenants, exportFolder }
}

/** Adds the routes of automatic exports. */
export async function register(
  app: FastifyInstance,
  {
    settings,
    outbound,
    ...deps
  }: { db: Db; activity: ActivityLog; settings: Settings; outbound: Outbound; clock: Clock },
): Promise<void> {
  exportRoutes(app, { ...deps, ...(await partsOf(settings, outbound)) })
}

/** What a worker does for automatic exports. */
export async function automaticExportWork({
  settings,
  outbound,
  ...deps
}: {
  db: Db
  activity: ActivityLog
  files: Pick<FileStore, 'read' | 'stat'>
  settings: Settings
  outbound: Outbound
  quota: JobQuota
  clock: Clock
  log: Log
}) {
  const parts = { ...deps, ...(await partsOf(settings, outbound)) }
  return {
    kinds: {
      deliveries: deliveries({ ...parts, store: createDeliveryStore(deps.db) }),
      tests: targetTests({ ...parts, store: createAskedTestStore(deps.db) }),
    },
    duties: [...duties(deps), TESTS.forget(deps)],
  }
}
