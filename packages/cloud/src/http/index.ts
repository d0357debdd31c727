import type { FastifyInstance } from 'fastify'
import { healthRoutes, type ReadinessCheck } from './health-routes.ts'
import { type Metrics, metricsRoute } from './metrics.ts'

export { bucketOrigin, consoleRoutes } from './console.ts'
export { describeApi } from './openapi.ts'
export { createServer } from './server.ts'

/** Adds the routes for operation: health, readiness and metrics. */
export function register(
  app: FastifyInstance,
  deps: { metrics: Metrics; checks: Readonly<Record<string, ReadinessCheck>> },
): void {
  metricsRoute(app, deps.metrics)
  healthRoutes(app, deps.checks)
}
