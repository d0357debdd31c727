import type { FastifyInstance } from 'fastify'
import type { BatchReceiver } from '../../platform/broker/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { createChainStore } from './chain-store.ts'
import { createDeviceNameStore } from './device-name-store.ts'
import { createReportReceiver, type ReportReceiverDeps } from './report-receiver.ts'
import { reportRoutes } from './report-routes.ts'
import { createReportStore } from './report-store.ts'

/** Stores the audit entries that devices send, and confirms them. */
export function receiveReports({ db, ...deps }: Omit<ReportReceiverDeps, 'inOneCommit'> & { db: Db }): BatchReceiver {
  return createReportReceiver({
    ...deps,
    inOneCommit: (work) =>
      db.transaction().execute((tx) => work({ store: createReportStore(tx), chain: createChainStore(tx) })),
  })
}

/** Adds the route that lists audit entries. */
export function register(app: FastifyInstance, { db }: { db: Db }): void {
  reportRoutes(app, { store: createReportStore(db), chain: createChainStore(db), names: createDeviceNameStore(db) })
}
