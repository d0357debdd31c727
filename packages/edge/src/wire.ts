import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import type { Running } from '@plantroom/base/program'
import { createModbusProtocol } from '@plantroom/drivers/modbus/driver'
import type { EdgeConfig } from './config.ts'
import { type Point, startDevice } from './device.ts'
import { openCloudLink } from './link/cloud-link.ts'

/** Builds the device from its settings, and gives it its link to the cloud. */
export async function startEdge(config: EdgeConfig, reached: (point: Point) => void = () => {}): Promise<Running> {
  const clock = systemClock
  const log = createLog('edge', config.logLevel)
  const { folder, deviceId, mqttUrl: url, deviceSecret: secret } = config
  const protocols = { 'modbus-tcp': createModbusProtocol({ clock }) }

  const parts = new AsyncDisposableStack()
  try {
    const device = await startDevice({ folder, deviceId, protocols, clock, log, reached })
    parts.defer(device.stop)
    const { handlers, listener } = device
    const link = openCloudLink({ url, deviceId, secret, handlers, listener, clock, log, reached })
    parts.defer(link.close)
    device.open(link)
    log.info({ device: deviceId }, 'ready')
    return { ready: { deviceId }, stop: () => parts.disposeAsync() }
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}
