import type { IncomingMessage } from 'node:http'
import { type Clock, every } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'

const LOOK_MS = 10_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes its body as a stream, for as long as that needs, and watches over it by itself. */
    streamed?: boolean
  }
}

/**
 * Ends a request whose body is not there `limitMs` after its headers. Node's own limit is one for all routes, and an
 * upload of gigabytes may take an hour.
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
    stop = every(clock, LOOK_MS, () => {
      for (const [raw, started] of since) {
        if (raw.complete || raw.destroyed) since.delete(raw)
        else if (clock.monotonic() - started >= limitMs) raw.socket.destroy()
      }
    })
  })
  app.addHook('onClose', async () => stop())
}
