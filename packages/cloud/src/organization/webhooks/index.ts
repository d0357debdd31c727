/** Notifies the servers of organizations of events, by the Standard Webhooks scheme. */
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { createSeal, loadSealKey } from '../../platform/seal/index.ts'
import type { ActivityLog } from '../activity/index.ts'
import { deliveries, forgetting } from './deliveries.ts'
import { createDeliveryStore } from './delivery-store.ts'
import { createDisable } from './disable.ts'
import { webhookRoutes } from './webhook-routes.ts'

export { DELIVERIES as WEBHOOK_DELIVERIES } from './delivery-store.ts'
/** @public For features that report one event, in the transaction of the change. */
export { recordEvent, recordEvents } from './event-store.ts'

interface Settings {
  folder: string
  factorKey: string | undefined
}

/** Adds the routes for webhooks and their deliveries. */
export async function register(
  app: FastifyInstance,
  {
    settings,
    outbound,
    ...deps
  }: { db: Db; activity: ActivityLog; settings: Settings; outbound: Outbound; clock: Clock },
): Promise<void> {
  const seal = createSeal(await loadSealKey(settings.folder, settings.factorKey), 'webhooks')
  webhookRoutes(app, { ...deps, seal, guard: outbound.guard })
}

/** What a worker does for webhooks. */
export async function webhookWork(deps: {
  db: Db
  activity: ActivityLog
  settings: Settings
  outbound: Outbound
  sendsMail: boolean
  clock: Clock
  log: Log
}) {
  const { db, activity, settings, outbound, sendsMail, clock, log } = deps
  const store = createDeliveryStore(db)
  const kind = deliveries({
    store,
    transport: outbound.tenants,
    seal: createSeal(await loadSealKey(settings.folder, settings.factorKey), 'webhooks'),
    disable: createDisable({ activity, sendsMail, clock }),
    clock,
    log,
  })
  return { kind, duty: forgetting({ store, clock }) }
}
