import { API } from '@plantroom/contract/api'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../routes/index.ts'

/** Checks a dependency of the service: resolves when it is available, rejects with the reason otherwise. */
export type ReadinessCheck = () => Promise<void>

/** Adds `/healthz` (the process is up) and `/readyz` (its dependencies are too). */
export function healthRoutes(app: FastifyInstance, checks: Readonly<Record<string, ReadinessCheck>>): void {
  addRoute(app, API.getHealth, async () => ({
    status: 'ok',
  }))

  addRoute(app, API.getReadiness, async (_request, reply) => {
    const entries = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check().then(() => 'ok', reason)] as const),
    )
    const ready = entries.every(([, state]) => state === 'ok')
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', ...Object.fromEntries(entries) })
  })
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
