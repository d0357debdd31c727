import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Log } from '@plantroom/base/log'
import { CONTENT_TYPE, type Figures, metricsText } from './text.ts'

/** Enough for a scraper, a browser and some stale connections. */
const MAX_CONNECTIONS = 20

export interface MetricsServer {
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

/** Serves `GET /metrics` and `GET /healthz`. Rejects when it cannot listen at the address. */
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
    if (path !== '/metrics' && path !== '/healthz')
      return void reply(404, PLAIN, 'not found; use /metrics or /healthz\n')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void reply(405, PLAIN, 'method not allowed; use GET\n')
    if (path === '/healthz') return void reply(200, 'application/json', '{"status":"ok"}')
    try {
      reply(200, CONTENT_TYPE, metricsText(figures()))
    } catch (error) {
      log.error({ err: error }, 'the metrics could not be collected')
      reply(500, PLAIN, 'the metrics could not be collected; see the log\n')
    }
  }

  const server = createServer(answer)
  server.maxConnections = MAX_CONNECTIONS
  server.listen(deps.port, host)
  await once(server, 'listening')
  // Without a listener, a failed connection would end the process.
  server.on('error', (error) => log.warn({ err: error }, 'a connection to the metrics server failed'))
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
