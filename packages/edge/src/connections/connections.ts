import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Connection as ConnectionConfig, Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, DriverListener, Protocol } from '@plantroom/drivers/driver'
import { type Connection, type ConnectionListener, startConnection } from './connection.ts'
import type { Shown } from './live-values.ts'
import { type ConnectionFigures, newTally, type Tally } from './tally.ts'

/** A datapoint, and where it stands. */
export interface Place {
  systemId: string
  connection: Connection
  datapoint: Datapoint
}

/** All connections of the device, as commissioned. */
export interface Connections {
  /** Throws a `Failure` that names every mistake when this system cannot be run here. */
  check(system: TechnicalSystem): void
  /** Makes the running connections of this system what it says; those that did not change keep running. */
  apply(system: TechnicalSystem): Promise<void>
  get(connectionId: string): Connection | undefined
  /** Every connection. */
  running(): Iterable<Connection>
  find(datapointId: string): Place | undefined
  /** Every datapoint. */
  all(): Iterable<Place>
  /** What each connection is at, and has done since the device started. */
  figures(): ConnectionFigures[]
  /** Kept until it is taken away with `undefined`, also while the datapoint's connection is started anew. */
  show(datapointId: string, shown: Shown | undefined): void
  /** The one who is told of what happens on the connections from now on. */
  listen(listener: ConnectionListener): void
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
  const places = new Map<string, Place>()
  const shown = new Map<string, Shown>()
  const tallies = new Map<string, Tally>()
  let listener: ConnectionListener | undefined
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
  function driverOf(config: ConnectionConfig, whom: DriverListener): Driver {
    try {
      const protocol = protocolOf(config)
      return protocol ? protocol.connect(config, whom) : unusable(`this device has no driver for ${config.protocol}`)
    } catch (error) {
      return unusable(error instanceof Error ? error.message : String(error))
    }
  }

  function start(config: ConnectionConfig): Connection {
    const tally = tallies.get(config.id) ?? newTally()
    tallies.set(config.id, tally)
    const connection = startConnection({
      config,
      connect: (whom) => driverOf(config, whom),
      clock,
      log,
      tally,
      listener: {
        connected: (connectionId) => listener?.connected(connectionId),
        reading: (datapointId, raw) => listener?.reading(datapointId, raw),
      },
    })
    for (const { id } of config.datapoints) connection.show(id, shown.get(id))
    running.set(config.id, connection)
    return connection
  }

  function forgetEnded(): void {
    for (const id of tallies.keys()) if (!running.has(id)) tallies.delete(id)
    for (const [id, { connection }] of places) {
      if (running.get(connection.config.id) !== connection) places.delete(id)
    }
  }

  async function makeItSo(system: TechnicalSystem): Promise<void> {
    const wanted = new Set(system.connections.map((connection) => connection.id))
    for (const id of systems.get(system.id) ?? []) if (!wanted.has(id)) await end(id)
    systems.set(system.id, [...wanted])
    for (const config of system.connections) {
      let connection = running.get(config.id)
      if (!connection || !isDeepStrictEqual(connection.config, config)) {
        await end(config.id)
        connection = start(config)
      }
      for (const datapoint of config.datapoints)
        places.set(datapoint.id, { systemId: system.id, connection, datapoint })
    }
    // Not before: a datapoint is not unknown while its connection is started anew.
    forgetEnded()
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
    running: () => running.values(),
    find: (datapointId) => places.get(datapointId),
    all: () => places.values(),
    figures: () =>
      Array.from(running.values(), ({ config: { id, name, protocol }, status }) => ({
        ...{ id, name, protocol, status: status() },
        ...(tallies.get(id) ?? newTally()),
      })),
    show(datapointId, what) {
      if (what) shown.set(datapointId, what)
      else shown.delete(datapointId)
      places.get(datapointId)?.connection.show(datapointId, what)
    },
    listen(whom) {
      listener = whom
    },
    close: () =>
      inTurn(async () => {
        await Promise.all([...running.keys()].map(end))
        forgetEnded()
      }),
  }
}

/** Shows its reason as the error of the connection. */
function unusable(reason: string): Driver {
  const refuse = () => Promise.reject(new Failure('invalid', reason))
  // What would fit is not known here; an override is accepted all the same while its connection is down.
  const nearest = (_pointId: string, raw: number) => raw
  return { open: refuse, read: refuse, nearest, write: refuse, close: () => Promise.resolve() }
}
