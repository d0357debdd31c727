import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { EventStreams } from '../../platform/streams/index.ts'
import { createOrganizationQueue, type Duty } from '../../platform/work/index.ts'
import type { DeviceLink, DeviceTasks } from '../devices/index.ts'
import { createDatapointStore } from './datapoint-store.ts'
import { createDispatchStore } from './dispatch-store.ts'
import { fleetRoutes } from './fleet-routes.ts'
import { serveFleet } from './fleet-tasks.ts'
import { limitRoutes } from './limit-routes.ts'
import { createLostShareStore } from './lost-share-store.ts'
import { lostShares } from './lost-shares.ts'
import { createMeterStore } from './meter-store.ts'
import { createTargetStore, type OnEnded } from './target-store.ts'

export { addDispatches, type DispatchToAdd, PROGRAM } from './dispatch-add-store.ts'
export { cancelDispatches } from './dispatch-store.ts'
export { planLimit } from './limit-plan.ts'
export { createMeterStore, type LimitedMeter } from './meter-store.ts'
export { windowOf } from './plan.ts'

const STARTING = { atOnce: 10, atOncePerGroup: 1, waiting: 1000, waitingPerGroup: 200 }

/** Records an event for webhooks, in the transaction of what happened. */
type RecordEvent = (
  tx: Db,
  event: {
    organizationId: string
    siteId: string | null
    type: 'dispatch.completed' | 'limit.completed'
    data: object
  },
) => Promise<void>

/** Adds the routes of fleet dispatches and power limits, and starts to carry them out on the devices of `link`. */
export function register(
  app: FastifyInstance,
  deps: {
    db: Db
    link: DeviceLink
    tasks: DeviceTasks
    /** Whether a key still works. */
    isActiveKey(keyId: string): boolean
    activity: ActivityLog
    streams: EventStreams
    recordEvent?: RecordEvent
    clock: Clock
    log: Log
  },
): void {
  const { db, link, tasks, isActiveKey, activity, streams, recordEvent, clock, log } = deps
  const onEnded = recordEnding(recordEvent)
  // The database knows the rights of people and programs at each claim.
  const isActive = (callerId: string) => /^(user|program):/.test(callerId) || isActiveKey(callerId)
  serveFleet(tasks, { store: createTargetStore(db, onEnded), link, isActive, clock, log })
  const starting = createOrganizationQueue('dispatches and power limits', { ...STARTING, rest: clock })
  const shared = { dispatches: createDispatchStore(db), tasks, starting, onEnded, activity, clock }
  fleetRoutes(app, { ...shared, datapoints: createDatapointStore(db), streams })
  limitRoutes(app, { ...shared, meters: createMeterStore(db), streams })
}

/** What a worker does for power limits. */
export const lostShareDuty = ({ db, recordEvent, clock }: { db: Db; recordEvent: RecordEvent; clock: Clock }): Duty =>
  lostShares({ store: createLostShareStore(db, recordEnding(recordEvent)), clock })

function recordEnding(recordEvent: RecordEvent | undefined): OnEnded {
  return async (tx, { id, kind, organizationId, siteIds, state, counts }) => {
    const siteId = siteIds.length === 1 ? (siteIds[0] ?? null) : null
    const event =
      kind === 'limit'
        ? ({ type: 'limit.completed', data: { limitId: id, state, counts } } as const)
        : ({ type: 'dispatch.completed', data: { dispatchId: id, state, counts } } as const)
    await recordEvent?.(tx, { organizationId, siteId, ...event })
  }
}
