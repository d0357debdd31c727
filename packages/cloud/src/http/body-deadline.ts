import type { IncomingMessage } from 'node:http'
import { type Clock, every } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'

const CHECK_MS = 10_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body as a stream and applies its own deadline. */
    streamed?: boolean
  }
}

/**
 * Ends a request whose body has not arrived `limitMs` after its headers. Node's own limit applies to all routes alike,
 * but an upload of gigabytes may take an hour.
 */
export function limitBodyTime(app: FastifyInstance, clock: Clock, limitMs: number): void {
  const since = new Map<IncomingMessage, number>()

  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.streamed) since.set(request.raw, clock.monotonic())
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.raw.complete) since.delete(request.raw)
    done()
  })

  let stop = () => {}
  app.addHook('onListen', async () => {
    stop = every(clock, CHECK_MS, () => {
      for (const [raw, started] of since) {
        if (raw.complete || raw.destroyed) since.delete(raw)
        else if (clock.monotonic() - started >= limitMs) raw.socket.destroy()
      }
    })
  })
  app.addHook('onClose', async () => stop())
}
