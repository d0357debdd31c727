import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Connection as ConnectionConfig, TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, Protocol } from '@plantroom/drivers/driver'
import { type Connection, startConnection } from './connection.ts'

/** All connections of the device, as commissioned. */
export interface Connections {
  /** Throws a `Failure` that names every mistake when this system cannot be run here. */
  check(system: TechnicalSystem): void
  /** Makes the running connections of this system what it says; those that did not change keep running. */
  apply(system: TechnicalSystem): Promise<void>
  get(connectionId: string): Connection | undefined
  close(): Promise<void>
}

export function createConnections(deps: {
  protocols: Readonly<Record<string, Protocol>>
  clock: Clock
  log: Log
}): Connections {
  const { protocols, clock, log } = deps
  const running = new Map<string, Connection>()
  const systems = new Map<string, readonly string[]>()
  let lastTurn: Promise<unknown> = Promise.resolve()

  // One change at a time: of two at once the loser's link would be polled for ever by nobody's wish.
  function inTurn(change: () => Promise<void>): Promise<void> {
    const turn = lastTurn.then(change)
    lastTurn = turn.catch(() => {})
    return turn
  }

  async function end(connectionId: string): Promise<void> {
    const connection = running.get(connectionId)
    running.delete(connectionId)
    await connection?.close()
  }

  function protocolOf(config: ConnectionConfig): Protocol | undefined {
    return Object.hasOwn(protocols, config.protocol) ? protocols[config.protocol] : undefined
  }

  // What an older version took and this one cannot run must not keep the other connections from running.
  function driverOf(config: ConnectionConfig): Driver {
    try {
      const protocol = protocolOf(config)
      return protocol ? protocol.connect(config) : unusable(`this device has no driver for ${config.protocol}`)
    } catch (error) {
      return unusable(error instanceof Error ? error.message : String(error))
    }
  }

  async function makeItSo(system: TechnicalSystem): Promise<void> {
    const wanted = new Set(system.connections.map((connection) => connection.id))
    for (const id of systems.get(system.id) ?? []) if (!wanted.has(id)) await end(id)
    systems.set(system.id, [...wanted])
    for (const config of system.connections) {
      if (isDeepStrictEqual(running.get(config.id)?.config, config)) continue
      await end(config.id)
      running.set(config.id, startConnection({ config, driver: driverOf(config), clock, log }))
    }
  }

  return {
    check(system) {
      const problems = system.connections.flatMap((connection, index) => {
        const protocol = protocolOf(connection)
        if (!protocol) return [`connections[${index}].protocol: this device has no driver for ${connection.protocol}`]
        return protocol.check(connection).map(({ path, message }) => `connections[${index}].${path}: ${message}`)
      })
      if (problems.length > 0) throw new Failure('rejected', problems.join('; '))
    },

    apply: (system) => inTurn(() => makeItSo(system)),
    get: (connectionId) => running.get(connectionId),
    close: () => inTurn(async () => void (await Promise.all([...running.keys()].map(end)))),
  }
}

/** Shows its reason as the error of the connection. */
function unusable(reason: string): Driver {
  const refuse = () => Promise.reject(new Failure('offline', reason))
  return { open: refuse, read: refuse, write: refuse, close: () => Promise.resolve() }
}
