import type { FastifyInstance } from 'fastify'

const config = { access: { by: 'anyone' } } as const

/** Checks a dependency of the service: resolves when it is available, rejects with the reason otherwise. */
export type ReadinessCheck = () => Promise<void>

/** Adds `/healthz` (the process is up) and `/readyz` (its dependencies are too). */
export function healthRoutes(app: FastifyInstance, checks: Readonly<Record<string, ReadinessCheck>>): void {
  app.get(
    '/healthz',
    { config, schema: { tags: ['Operation'], summary: 'Show that the process is up' } },
    async () => ({
      status: 'ok',
    }),
  )

  app.get(
    '/readyz',
    { config, schema: { tags: ['Operation'], summary: 'Show whether database, broker and disk are available' } },
    async (_request, reply) => {
      const entries = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => [name, await check().then(() => 'ok', reason)] as const),
      )
      const ready = entries.every(([, state]) => state === 'ok')
      return reply
        .code(ready ? 200 : 503)
        .send({ status: ready ? 'ok' : 'unavailable', ...Object.fromEntries(entries) })
    },
  )
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
