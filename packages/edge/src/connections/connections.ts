import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Protocol } from '@plantroom/drivers/driver'
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

  async function end(connectionId: string): Promise<void> {
    const connection = running.get(connectionId)
    running.delete(connectionId)
    await connection?.close()
  }

  return {
    check(system) {
      const problems = system.connections.flatMap((connection, index) => {
        const protocol = protocols[connection.protocol]
        if (!protocol) return [`connections[${index}].protocol: this device has no driver for ${connection.protocol}`]
        return protocol.check(connection).map(({ path, message }) => `connections[${index}].${path}: ${message}`)
      })
      if (problems.length > 0) throw new Failure('rejected', problems.join('; '))
    },

    async apply(system) {
      const wanted = new Set(system.connections.map((connection) => connection.id))
      for (const id of systems.get(system.id) ?? []) if (!wanted.has(id)) await end(id)
      systems.set(system.id, [...wanted])
      for (const config of system.connections) {
        const protocol = protocols[config.protocol]
        if (!protocol || isDeepStrictEqual(running.get(config.id)?.config, config)) continue
        await end(config.id)
        running.set(config.id, startConnection({ config, driver: protocol.connect(config), clock, log }))
      }
    },

    get: (connectionId) => running.get(connectionId),
    async close() {
      await Promise.all([...running.keys()].map(end))
    },
  }
}
