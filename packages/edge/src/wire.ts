import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import type { Running } from '@plantroom/base/program'
import { COMMISSION } from '@plantroom/contract/commands'
import { createModbusProtocol } from '@plantroom/drivers/modbus/driver'
import type { CommandHandlers } from './commands/command.ts'
import { commission } from './commands/commission.ts'
import { getTechnicalConnectionValues } from './commands/get-connection-values.ts'
import { getTechnicalDataPoints } from './commands/get-data-points.ts'
import type { EdgeConfig } from './config.ts'
import { createConnections } from './connections/connections.ts'
import { openCloudLink } from './link/cloud-link.ts'
import { openJournal } from './store/journal.ts'
import { createTechnicalSystemStore } from './store/technical-system-store.ts'

/** Builds the device from its settings and its journal. It runs whether or not the cloud is there. */
export async function startEdge(config: EdgeConfig): Promise<Running> {
  const clock = systemClock
  const log = createLog('edge', config.logLevel)
  const journal = openJournal(config.folder)
  const store = createTechnicalSystemStore(journal)

  const connections = createConnections({ protocols: { 'modbus-tcp': createModbusProtocol({ clock }) }, clock, log })
  for (const system of store.load()) await connections.apply(system)

  const handlers: CommandHandlers = {
    getTechnicalDataPoints: getTechnicalDataPoints(connections),
    getTechnicalConnectionValues: getTechnicalConnectionValues(connections),
    [COMMISSION]: commission(connections, store),
  }
  const link = openCloudLink({
    url: config.mqttUrl,
    deviceId: config.deviceId,
    secret: config.deviceSecret,
    handlers,
    clock,
    log,
  })
  log.info({ device: config.deviceId }, 'ready')

  return {
    ready: { deviceId: config.deviceId },
    async stop() {
      await link.close()
      await connections.close()
      journal.close()
    },
  }
}
