/** Notifications of new alerts to browsers that show no page, by Web Push. */
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { loadSealKey } from '../../platform/seal/index.ts'
import type { WorkKind } from '../../platform/work/index.ts'
import { pushDelivery } from './deliver-push.ts'
import { derivePushKey, type PushKey } from './push-key.ts'
import { pushRoutes } from './push-routes.ts'
import { createPushStore } from './push-store.ts'

export { PUSH_MESSAGES } from './push-store.ts'
export { queuePushes } from './queue-pushes.ts'

interface Settings {
  folder: string
  factorKey: string | undefined
}

const openKey = async ({ folder, factorKey }: Settings): Promise<PushKey> =>
  derivePushKey(await loadSealKey(folder, factorKey))

export async function register(
  app: FastifyInstance,
  { settings, outbound, ...deps }: { db: Db; settings: Settings; outbound: Outbound; clock: Clock },
): Promise<void> {
  pushRoutes(app, { ...deps, key: await openKey(settings), guard: outbound.guard })
}

/** What a worker does for notifications. */
export async function pushWork(deps: {
  db: Db
  settings: Settings
  outbound: Outbound
  /** The address of this service, for the operators of push services. */
  contact: string | undefined
  clock: Clock
  log: Log
}): Promise<WorkKind<'push_message', 'id'>> {
  const { db, settings, outbound, ...rest } = deps
  const key = await openKey(settings)
  return pushDelivery({ ...rest, store: createPushStore(db), transport: outbound.tenants, key })
}
