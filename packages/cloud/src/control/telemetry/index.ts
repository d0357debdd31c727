import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import type { BatchReceiver } from '../../platform/broker/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { EventStreams } from '../../platform/streams/index.ts'
import type { Broadcasts } from './broadcasts.ts'
import { createCommissionedStore } from './commissioned-store.ts'
import { findCompacted } from './compaction-store.ts'
import { createHistoryStore } from './history-store.ts'
import { createMeasurementCheck, type RefusedReason } from './measurement-check.ts'
import { createMeasurementReceiver, type MeasurementReceiverDeps } from './measurement-receiver.ts'
import { createMeasurementStore } from './measurement-store.ts'
import { broadcastRoutes, measurementRoutes } from './telemetry-routes.ts'

export { createBroadcasts } from './broadcasts.ts'
export { createHistoryStore, type HistoryStore } from './history-store.ts'
export { measurementUpkeep } from './upkeep.ts'

/** Stores the measurements that devices send, and confirms them. `refused` counts those that are not stored. */
export function receiveMeasurements({
  db,
  ...deps
}: Omit<MeasurementReceiverDeps, 'store' | 'check' | 'findDevice'> & {
  db: Db
  findDevice(deviceId: string): { organizationId: string } | undefined
}): { receiver: BatchReceiver; refused: Readonly<Record<RefusedReason, number>> } {
  const check = createMeasurementCheck({ ...deps, store: createCommissionedStore(db) })
  const store = createMeasurementStore(db, deps)
  return { receiver: createMeasurementReceiver({ ...deps, store, check }), refused: check.refused }
}

/** Returns how many seconds ago a worker last had compacted all past days. */
export async function compactionAge(db: Db, clock: Clock): Promise<number> {
  return Math.max(0, clock.now() - (await findCompacted(db)).getTime()) / 1000
}

/** Adds the routes for archived measurements and live broadcasts. */
export function register(
  app: FastifyInstance,
  deps: {
    db: Db
    broadcasts: Pick<Broadcasts, 'follow'>
    findDevice(deviceId: string): { organizationId: string; siteId: string } | undefined
    streams: EventStreams
    clock: Clock
  },
): void {
  const { db, broadcasts, findDevice, streams, clock } = deps
  measurementRoutes(app, { store: createMeasurementStore(db), history: createHistoryStore(db), findDevice, clock })
  broadcastRoutes(app, { broadcasts, findDevice, streams })
}
