import { createServer } from 'node:net'
import type { Protocol } from '@plantroom/contract/protocols'
import type { DemoFile } from './demo-file.ts'
import type { Parts } from './parts.ts'
import type { Supervised } from './supervise.ts'

/** The endpoints of the simulated equipment. */
export interface SimulatorReady {
  modbus: { host: string; port: number }
  mqtt: { url: string }
  obix: { url: string }
}

/** The equipment stays on this machine, wherever the cloud listens. */
const HOST = '127.0.0.1'

/** By protocol, for those that the simulator speaks. */
const PORT_SETTINGS: Readonly<Partial<Record<Protocol, string>>> = {
  'modbus-tcp': 'PLANTROOM_SIMULATOR_MODBUS_PORT',
  mqtt: 'PLANTROOM_SIMULATOR_MQTT_PORT',
  obix: 'PLANTROOM_SIMULATOR_OBIX_PORT',
}

/**
 * Starts the simulator on the configured ports. Ports that are unset or 0 stay the same as last time; for one of those
 * that is taken, the simulator picks any.
 */
export async function startSimulator(options: {
  parts: Parts
  environment: NodeJS.ProcessEnv
  last: DemoFile | undefined
}): Promise<Supervised<SimulatorReady>> {
  const { parts, environment, last } = options
  const on = (ports: NodeJS.ProcessEnv) =>
    parts.run<SimulatorReady>({
      name: 'simulator',
      packageName: 'simulator',
      settings: (before) => ({
        ...(before ? portSettings(endpointsOf(before)) : ports),
        PLANTROOM_HOST: HOST,
        // A login would have to be commissioned too, and would then be readable in demo.json.
        PLANTROOM_SIMULATOR_OBIX_LOGIN: '',
      }),
    })
  const kept = withoutSet(portSettings(last?.connections ?? []), environment)
  if (Object.keys(kept).length === 0) return on({})
  try {
    return await on(kept)
  } catch {
    // The others stay: equipment that is held, by a schedule say, cannot be moved.
    return on(await withoutTaken(kept))
  }
}

/** Removes ports that another program listens on. */
async function withoutTaken(ports: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const free = await Promise.all(
    Object.entries(ports).map(async ([name, port]) => ((await isFree(Number(port))) ? [[name, port]] : [])),
  )
  return Object.fromEntries(free.flat())
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })
}

/** Returns the endpoints in the format of `demo.json`. */
function endpointsOf({ modbus, mqtt, obix }: SimulatorReady): { protocol: Protocol; endpoint: string }[] {
  return [
    { protocol: 'modbus-tcp', endpoint: `${modbus.host}:${modbus.port}` },
    { protocol: 'mqtt', endpoint: mqtt.url },
    { protocol: 'obix', endpoint: obix.url },
  ]
}

/** Returns the settings that make the simulator listen where the connections expect it. */
export function portSettings(connections: readonly { protocol: Protocol; endpoint: string }[]): NodeJS.ProcessEnv {
  const entries = connections.flatMap(({ protocol, endpoint }) => {
    const [, host, port] = /^(?:\w+:\/\/)?([^:/]+):(\d+)(?:\/|$)/.exec(endpoint) ?? []
    const setting = PORT_SETTINGS[protocol]
    return host === HOST && port && setting ? [[setting, port]] : []
  })
  // The first connection of a protocol wins.
  return Object.fromEntries(entries.reverse())
}

/** Removes ports that the environment sets, valid or not: the simulator reports invalid ones. */
export function withoutSet(ports: NodeJS.ProcessEnv, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSet = (name: string) => environment[name] && Number(environment[name]) !== 0
  return Object.fromEntries(Object.entries(ports).filter(([name]) => !isSet(name)))
}
