import { hash, timingSafeEqual } from 'node:crypto'
import { COMMANDS, commandBody } from '@plantroom/contract/commands'
import Fastify, { type FastifyInstance } from 'fastify'

/** The parts that both floors share with the real service: the route, its schema, and a key check. */
export function serveRoute(
  apiKey: string,
  answer: (body: { reqId?: string; data: object }) => Promise<Buffer>,
): FastifyInstance {
  const keyHash = hash('sha256', apiKey, 'buffer')
  const app = Fastify()
  app.addHook('onRequest', async (request, reply) => {
    const sent = hash('sha256', String(request.headers['x-api-key']), 'buffer')
    if (!timingSafeEqual(sent, keyHash)) await reply.code(401).send()
  })
  app.post<{ Body: { reqId?: string; data: object } }>(
    '/api/orgs/:orgId/edge-device-admin/:deviceId/cmd/getTechnicalConnectionValues',
    { schema: { body: commandBody(COMMANDS.getTechnicalConnectionValues.request) } },
    async (request, reply) => reply.type('application/json; charset=utf-8').send(await answer(request.body)),
  )
  return app
}

/** Sends the port to the parent, and ends with it. */
export async function announce(app: FastifyInstance): Promise<void> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  process.send?.({ ready: { port: typeof address === 'object' ? address?.port : undefined } })
  process.once('disconnect', () => process.exit(0))
  process.once('SIGINT', () => process.exit(0))
}
