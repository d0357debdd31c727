import { type Clock, systemClock } from '@plantroom/base/clock'
import { createLog, type Log, logOutput } from '@plantroom/base/log'
import type { Running } from '@plantroom/base/program'
import { isPlainToAnotherMachine } from '@plantroom/contract/broker-url'
import { createProtocols } from '@plantroom/drivers/protocols'
import type { EdgeConfig } from './config.ts'
import { startDevice } from './device.ts'
import type { Point } from './device-parts.ts'
import { openCloudLink } from './link/cloud-link.ts'
import { type MetricsServer, startMetricsServer } from './metrics/server.ts'
import type { Figures } from './metrics/text.ts'

/** Reports can wait, and each batch costs both sides a flush. */
const REPORT_REST_MS = 50
/** The reply to the command that restored the journal leaves before the link closes. */
const LAST_REPLY_MS = 250

interface Parts {
  config: EdgeConfig
  clock: Clock
  log: Log
  reached: ((point: Point) => void) | undefined
}

/** Builds the device from its settings and links it to the cloud. */
export async function startEdge(config: EdgeConfig, reached?: (point: Point) => void): Promise<Running> {
  const log = createLog('edge', config.logLevel, logOutput(config.logStyle))
  const parts = { config, clock: systemClock, log, reached }
  if (isPlainToAnotherMachine(config.mqttUrl))
    log.warn('MQTT_URL is not encrypted: others on the network can read and send setpoints')
  let stopped = false
  let next: Promise<unknown> = Promise.resolve()
  let current = await startParts(parts, startAgain)

  /** Starts the device again from its journal, which is another than the one that it has in memory. */
  function startAgain(): void {
    systemClock.after(LAST_REPLY_MS, () => {
      next = next.then(async () => {
        if (stopped) return
        log.warn('starting again from the journal')
        await current.stop()
        current = await startParts(parts, startAgain)
      })
      // Everything is in the journal. The program ends, and the service manager starts it again.
      next.catch((error: unknown) => {
        log.fatal({ err: error }, 'could not start again from the journal')
        throw error
      })
    })
  }

  return {
    ready: current.ready,
    async stop() {
      stopped = true
      await next.catch(() => {})
      await current.stop()
    },
  }
}

async function startParts({ config, clock, log, reached }: Parts, onRestored: () => void): Promise<Running> {
  const { folder, deviceId, mqttUrl: url, deviceSecret: secret, quotas } = config
  const hook = reached && { reached }
  const parts = new AsyncDisposableStack()
  try {
    const protocols = createProtocols(clock)
    const device = await startDevice({
      folder,
      deviceId,
      protocols,
      clock,
      log,
      quotas,
      reportRestMs: REPORT_REST_MS,
      onRestored,
      ...hook,
    })
    parts.defer(device.stop)
    const { handlers, listener } = device
    const link = openCloudLink({ url, deviceId, secret, handlers, listener, clock, log, ...hook })
    parts.defer(link.close)
    device.open(link)
    const metrics = await serveMetrics(config.metrics, device.figures, log)
    if (metrics) parts.defer(metrics.close)
    log.info({ device: deviceId }, 'ready')
    return {
      ready: { deviceId, ...(metrics && { metrics: { host: metrics.host, port: metrics.port } }) },
      stop: () => parts.disposeAsync(),
    }
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

/** Starts the metrics server. Control does not depend on it, so a port that is taken is only logged. */
async function serveMetrics(
  address: EdgeConfig['metrics'],
  figures: () => Figures,
  log: Log,
): Promise<MetricsServer | undefined> {
  if (!address) return undefined
  try {
    return await startMetricsServer({ ...address, figures, log })
  } catch (error) {
    log.error({ ...address, error: (error as Error).message }, 'could not start the metrics server')
    return undefined
  }
}
