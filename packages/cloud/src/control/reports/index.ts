import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import { type ActivityLog, SYSTEM } from '../../organization/activity/index.ts'
import type { BatchReceiver } from '../../platform/broker/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { createChainStore } from './chain-store.ts'
import { createDeviceNameStore } from './device-name-store.ts'
import { intervalRoute } from './interval-route.ts'
import { createIntervalStore } from './interval-store.ts'
import { createReportReceiver, type ReportReceiverDeps } from './report-receiver.ts'
import { reportRoutes } from './report-routes.ts'
import { createReportStore } from './report-store.ts'

/** Stores the audit entries that devices send, and confirms them. */
export function receiveReports(
  deps: Omit<ReportReceiverDeps, 'inOneCommit'> & { db: Db; activity: ActivityLog },
): BatchReceiver {
  const { db, activity, ...rest } = deps
  return createReportReceiver({
    ...rest,
    inOneCommit: (work) =>
      db.transaction().execute((tx) =>
        work({
          store: createReportStore(tx),
          chain: createChainStore(tx),
          recordKeys: async (given) => activity.append(tx, SYSTEM, await activity.auditKeys.changes(tx, given)),
        }),
      ),
  })
}

/** Adds the routes that list audit entries and intervals of power limits. */
export function register(app: FastifyInstance, deps: { db: Db; activity: ActivityLog; clock: Clock }): void {
  const { db, activity, clock } = deps
  const head = {
    keys: (device: { id: string; organizationId: string }) => activity.auditKeys.list(db, device),
    key: activity.key,
    now: clock.now,
  }
  const stores = { store: createReportStore(db), chain: createChainStore(db), names: createDeviceNameStore(db) }
  reportRoutes(app, { ...stores, head })
  intervalRoute(app, { store: createIntervalStore(db), clock })
}
