import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type Clock, sleep } from '@plantroom/base/clock'
import { readLocalService } from '@plantroom/base/local-service'
import type { Log } from '@plantroom/base/log'
import type { CloudConfig } from '../config.ts'
import { isTimeout, isUnreachable } from '../platform/db/database.ts'

const RETRY_MS = 2_000
const REPORT_MS = 60_000
const NETWORK = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE)$/

type Place = Pick<CloudConfig, 'host' | 'port' | 'tls' | 'folder'>

/**
 * Starts a program, again and again while the database or the broker is away. Says for what it waits in the log and at
 * `/readyz`. Rejects at any other problem: an operator has to solve it.
 */
export async function startWhenPeersAreThere<Started>(
  config: Place,
  deps: { start(beforeListen: () => Promise<void>): Promise<Started>; clock: Clock; log: Log },
): Promise<Started> {
  const { start, clock, log } = deps
  let page: WaitingPage | undefined
  const closePage = async () => {
    await page?.close()
    page = undefined
  }
  for (let reportedAt = Number.NEGATIVE_INFINITY; ; ) {
    try {
      return await start(closePage)
    } catch (error) {
      if (!isAway(error)) {
        await closePage()
        throw error
      }
      const reason = (error as Error).message
      if (clock.monotonic() - reportedAt >= REPORT_MS) {
        reportedAt = clock.monotonic()
        log.warn(`waiting: ${reason}`)
      }
      page ??= await openWaitingPage(config)
      page.reason = reason
      await sleep(clock, RETRY_MS)
    }
  }
}

/** The database or the broker cannot be reached now, which may change without us. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isUnreachable(error) || isTimeout(error)) return true
  return NETWORK.test((error as NodeJS.ErrnoException).code ?? '') || isAway(error.cause)
}

interface WaitingPage {
  reason: string
  close(): Promise<void>
}

/** Answers health checks while there is nothing else to answer: the process is up, and not ready. */
async function openWaitingPage({ host, port, tls, folder }: Place): Promise<WaitingPage> {
  const page: WaitingPage = { reason: '', close: async () => {} }
  const server = tls ? createTlsServer(tls) : createServer()
  server.on('request', (request, response) => {
    const isHealth = request.url === '/healthz'
    const body = isHealth
      ? { status: 'ok', instance: readLocalService(folder)?.instance ?? '' }
      : { status: 'unavailable', waiting: page.reason }
    const headers = {
      'content-type': 'application/json',
      connection: 'close',
      ...(!isHealth && { 'retry-after': '5' }),
    }
    response.writeHead(isHealth ? 200 : 503, headers).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => {
    // Where the port is taken, the start itself says so later.
    server.once('error', () => resolve())
    server.listen(port, host, resolve)
  })
  page.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return page
}
