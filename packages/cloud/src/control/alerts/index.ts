/** Alerts: what is wrong with controllers, equipment and imports, since when, and who is notified. */
import type { Clock } from '@plantroom/base/clock'
import type { Log, RecentLog } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { alertRoutes } from './alert-routes.ts'
import { alertWorkRoutes } from './alert-work-routes.ts'
import { type BecomingDeps, becomingRoute } from './becoming.ts'
import { createFactStore } from './fact-store.ts'
import { createHealthReceiver, type HealthReceiver } from './health-receiver.ts'
import { problemReportRoute } from './problem-report-route.ts'

export { countOpenAlerts } from './alert-store.ts'
export { createAlertWorkStore } from './alert-work-store.ts'
export { closingComments } from './closing-comments.ts'
export { startEvaluator } from './evaluator.ts'
export { alertAboutImport } from './import-alerts.ts'

/** Stores what devices say about themselves. */
export function receiveHealth(deps: {
  db: Db
  findDevice(deviceId: string): object | undefined
  clock: Clock
  log: Log
}): HealthReceiver {
  const { db, ...rest } = deps
  return createHealthReceiver({ ...rest, store: createFactStore(db) })
}

/** Adds the routes for alerts and their rules, and for problem reports. */
export function register(
  app: FastifyInstance,
  deps: BecomingDeps & { activity: ActivityLog; recentLog: RecentLog },
): void {
  alertRoutes(app, deps)
  becomingRoute(app, deps)
  alertWorkRoutes(app, deps)
  problemReportRoute(app, deps)
}
