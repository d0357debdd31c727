import { systemClock } from '@plantroom/base/clock'
import { createLog, logOutput } from '@plantroom/base/log'
import type { Running } from '@plantroom/base/program'
import { rebooted } from './building/battery.ts'
import { startBuilding } from './building/live-building.ts'
import { createSolarInverter, SOLAR_INVERTER_UNIT } from './building/solar-inverter.ts'
import { unitsOf } from './building/units.ts'
import type { Config } from './config.ts'
import { type Faults, parseFaults } from './faults.ts'
import { listenOn } from './listen.ts'
import { startModbusServer } from './modbus/server.ts'
import { startMqttServer } from './mqtt/server.ts'
import { startObixServer } from './obix/server.ts'

/** Builds and starts the simulator, and prints its addresses on stdout. */
export async function startSimulator(config: Config): Promise<Running> {
  const log = createLog('simulator', config.logLevel, logOutput(config.logStyle))
  const { host, faults } = config
  await using started = new AsyncDisposableStack()
  const building = startBuilding({ clock: systemClock, seed: config.seed, faults })
  started.defer(() => building.stop())
  const inverter = createSolarInverter(building, systemClock)
  started.defer(() => inverter.stop())
  const shared = { host, building, clock: systemClock, log }

  const modbus = await listenOn({
    host,
    name: 'Modbus TCP',
    setting: 'PLANTROOM_SIMULATOR_MODBUS_PORT',
    set: config.modbusPort,
    usual: 15_020,
    start: (port) =>
      startModbusServer({
        ...shared,
        port,
        units: new Map([...unitsOf(building), [SOLAR_INVERTER_UNIT, inverter.unit]]),
        faults: faults.modbus,
        onReboot: () => building.change({ ...building.now(), battery: rebooted(building.now().battery) }),
      }),
  })
  started.defer(() => modbus.stop())
  const mqtt = await listenOn({
    host,
    name: 'MQTT',
    setting: 'PLANTROOM_SIMULATOR_MQTT_PORT',
    set: config.mqttPort,
    usual: 1884,
    start: (port) => startMqttServer({ ...shared, port, faults: faults.mqtt }),
  })
  started.defer(() => mqtt.stop())
  const obix = await listenOn({
    host,
    name: 'oBIX',
    setting: 'PLANTROOM_SIMULATOR_OBIX_PORT',
    set: config.obixPort,
    usual: 8085,
    start: (port) => startObixServer({ ...shared, port, faults: faults.obix, login: config.obixLogin }),
  })
  started.defer(() => obix.stop())

  receiveFaults((next) => {
    modbus.misbehave(next.modbus)
    mqtt.misbehave(next.mqtt)
    obix.misbehave(next.obix)
    building.change({ ...building.now(), faults: next })
  })
  const mqttUrl = `mqtt://${address(mqtt)}`
  const obixUrl = `http://${address(obix)}/obix/`
  process.stdout.write(`simulated building: Modbus TCP on ${address(modbus)}, MQTT on ${mqttUrl}, oBIX on ${obixUrl}\n`)
  const running = started.move()
  return {
    ready: { modbus: { host: modbus.host, port: modbus.port }, mqtt: { url: mqttUrl }, obix: { url: obixUrl } },
    stop: () => running.disposeAsync(),
  }
}

const address = ({ host, port }: { host: string; port: number }) => `${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * Lets a parent process send `{ faults: ['modbus:late=1500'] }` over the IPC channel, which replaces all faults. The reply
 * is the same message, or `{ problems }` if nothing was changed.
 */
function receiveFaults(apply: (faults: Faults) => void): void {
  process.on('message', (message: unknown) => {
    const texts = faultsIn(message)
    if (!texts) return answer({ problems: ['send { faults: [...] }, a list of texts'] })
    const { faults, problems } = parseFaults(texts)
    if (problems.length > 0) return answer({ problems })
    apply(faults)
    answer({ faults: texts })
  })
}

function faultsIn(message: unknown): readonly string[] | undefined {
  const list = typeof message === 'object' && message && 'faults' in message ? message.faults : undefined
  return Array.isArray(list) && list.every((text) => typeof text === 'string') ? list : undefined
}

// With a callback, so that a parent that exits right now does not crash this process.
const answer = (message: object) => void process.send?.(message, undefined, undefined, () => {})
