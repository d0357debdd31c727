import type { FastifyInstance } from 'fastify'

const config = { access: { by: 'anyone' } } as const

/** Something that the service cannot do its work without: resolves when it is there, rejects with a reason. */
export type ReadinessCheck = () => Promise<void>

/** `/healthz`: the process is up. `/readyz`: so is everything that it needs. */
export function healthRoutes(app: FastifyInstance, checks: Readonly<Record<string, ReadinessCheck>>): void {
  app.get('/healthz', { config, schema: { tags: ['Operation'], summary: 'The process is up' } }, async () => ({
    status: 'ok',
  }))

  app.get(
    '/readyz',
    { config, schema: { tags: ['Operation'], summary: 'Database, broker and disk can be used' } },
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
