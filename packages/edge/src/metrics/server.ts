import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Log } from '@plantroom/base/log'
import type { Figures } from './figures.ts'
import { CONTENT_TYPE, metricsText } from './text.ts'

/** One that scrapes, one that looks, and some that were forgotten. */
const MAX_CONNECTIONS = 20

export interface MetricsServer {
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

/** Answers `GET /metrics` and `GET /healthz`, and nothing else. Rejects when it cannot listen there. */
export async function startMetricsServer(deps: {
  host: string
  port: number
  figures: () => Figures
  log: Log
}): Promise<MetricsServer> {
  const { host, figures, log } = deps

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const reply = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    const path = request.url?.split('?')[0]
    if (path !== '/metrics' && path !== '/healthz') return void reply(404, PLAIN, 'there are /metrics and /healthz\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') return void reply(405, PLAIN, 'ask with GET\n')
    if (path === '/healthz') return void reply(200, 'application/json', '{"status":"ok"}')
    try {
      reply(200, CONTENT_TYPE, metricsText(figures()))
    } catch (error) {
      log.error({ err: error }, 'the metrics cannot be told')
      reply(500, PLAIN, 'the metrics cannot be told; the log says why\n')
    }
  }

  const server = createServer(answer)
  server.maxConnections = MAX_CONNECTIONS
  server.listen(deps.port, host)
  await once(server, 'listening')
  // Without a listener, a socket that cannot be taken would end the device.
  server.on('error', (error) => log.warn({ err: error }, 'the metrics were asked for in vain'))
  const { port } = server.address() as AddressInfo
  return {
    host,
    port,
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const PLAIN = 'text/plain; charset=utf-8'
