import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import type { Running } from '@plantroom/base/program'
import { startBuilding } from './building/live-building.ts'
import { unitsOf } from './building/units.ts'
import type { Config } from './config.ts'
import { type ModbusServer, startModbusServer } from './modbus/server.ts'

/** Builds the whole simulator, starts it, and says on stdout where it answers. */
export async function startSimulator(config: Config): Promise<Running> {
  const log = createLog('simulator', config.logLevel)
  const building = startBuilding({ clock: systemClock, seed: config.seed })
  let modbus: ModbusServer
  try {
    modbus = await startModbusServer({ host: config.host, port: config.modbusPort, units: unitsOf(building), log })
  } catch (error) {
    building.stop()
    throw cannotListen(error, config)
  }

  const host = modbus.host.includes(':') ? `[${modbus.host}]` : modbus.host
  process.stdout.write(`simulated building: Modbus TCP on ${host}:${modbus.port}\n`)
  return {
    ready: { modbus: { host: modbus.host, port: modbus.port } },
    async stop() {
      building.stop()
      await modbus.stop()
    },
  }
}

function cannotListen(error: unknown, { host, modbusPort }: Config): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason =
    code === 'EADDRINUSE'
      ? 'the port is taken; set PLANTROOM_SIMULATOR_MODBUS_PORT to another one, or to 0 for any that is free'
      : error instanceof Error
        ? error.message
        : String(error)
  return new Error(`cannot listen for Modbus TCP on ${host}:${modbusPort}: ${reason}`)
}
