import { systemClock } from '@plantroom/base/clock'
import { createLog, type Log, logOutput } from '@plantroom/base/log'
import type { Running } from '@plantroom/base/program'
import { isPlainToAnotherMachine } from '@plantroom/contract/broker-url'
import { createProtocols } from '@plantroom/drivers/protocols'
import type { EdgeConfig } from './config.ts'
import { type Point, startDevice } from './device.ts'
import { openCloudLink } from './link/cloud-link.ts'
import { type MetricsServer, startMetricsServer } from './metrics/server.ts'
import type { Figures } from './metrics/text.ts'

/** Reports can wait, and each batch costs both sides a flush. */
const REPORT_REST_MS = 50

/** Builds the device from its settings and links it to the cloud. */
export async function startEdge(config: EdgeConfig, reached?: (point: Point) => void): Promise<Running> {
  const clock = systemClock
  const log = createLog('edge', config.logLevel, logOutput(config.logStyle))
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
      ...hook,
    })
    parts.defer(device.stop)
    const { handlers, listener } = device
    if (isPlainToAnotherMachine(url))
      log.warn('MQTT_URL is not encrypted: others on the network can read and send setpoints')
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
