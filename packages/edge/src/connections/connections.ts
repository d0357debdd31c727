import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Connection as ConnectionConfig, Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, DriverListener, Protocol } from '@plantroom/drivers/driver'
import { changedFields, sharedTargets } from './check-targets.ts'
import { type Connection, type ConnectionListener, startConnection } from './connection.ts'
import type { Shown } from './live-values.ts'
import { toRaw } from './scaling.ts'
import { type ConnectionFigures, newTally, type Tally } from './tally.ts'

/** A datapoint, its connection and its technical system. */
export interface Place {
  systemId: string
  connection: Connection
  datapoint: Datapoint
}

/** All connections of the device, as commissioned. */
export interface Connections {
  /** Throws a `Failure` that names every mistake when this system cannot be run here. */
  check(system: TechnicalSystem): void
  /** Lists the writable datapoints that would write other equipment with this system, or none, and what differs. */
  moved(system: TechnicalSystem): { place: Place; fields: readonly string[] }[]
  /** Makes the running connections of this system what it says; those that did not change keep running. */
  apply(system: TechnicalSystem): Promise<void>
  /** Marks datapoints that are about to move or go: no writer may take hold of them. Replaces the earlier marks. */
  leave(datapointIds: ReadonlySet<string>): void
  isLeaving(datapointId: string): boolean
  get(connectionId: string): Connection | undefined
  /** Every connection. */
  running(): Iterable<Connection>
  find(datapointId: string): Place | undefined
  /** Every datapoint. */
  all(): Iterable<Place>
  /** The status of each connection, and what it has done since the device started. */
  figures(): ConnectionFigures[]
  /** Kept until it is removed with `undefined`, also while the datapoint's connection is restarted. */
  show(datapointId: string, shown: Shown | undefined): void
  /** Sets the one listener to what happens on the connections. */
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
  let leaving: ReadonlySet<string> = new Set()
  let listener: ConnectionListener | undefined
  let lastTurn: Promise<unknown> = Promise.resolve()

  // One change at a time: of two at once, the loser's link would be polled without end.
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

  // A connection that an older version accepted and this one cannot run must not stop the others.
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

  /** Whether a `releaseValue` fits is known to the driver, which opens nothing before it is used. */
  function releaseProblems(connection: ConnectionConfig, protocol: Protocol): string[] {
    const given = connection.datapoints.flatMap((datapoint, index) =>
      datapoint.releaseValue === undefined ? [] : [{ datapoint, index, value: datapoint.releaseValue }],
    )
    if (given.length === 0) return []
    const driver = protocol.connect(connection)
    return given.flatMap(({ datapoint: { id, scaler }, index, value }) => {
      try {
        driver.nearest(id, toRaw(value, scaler))
        return []
      } catch (failure) {
        return [`datapoints[${index}].releaseValue: ${(failure as Error).message}`]
      }
    })
  }

  function problemsOf(connection: ConnectionConfig): string[] {
    const protocol = protocolOf(connection)
    if (!protocol) return [`protocol: this device has no driver for ${connection.protocol}`]
    const problems = protocol.check(connection).map(({ path, message }) => `${path}: ${message}`)
    return problems.length > 0 ? problems : releaseProblems(connection, protocol)
  }

  async function applySystem(system: TechnicalSystem): Promise<void> {
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
      const problems = system.connections.flatMap((connection, index) =>
        problemsOf(connection).map((problem) => `connections[${index}].${problem}`),
      )
      if (problems.length === 0) {
        const own = new Set([...(systems.get(system.id) ?? []), ...system.connections.map(({ id }) => id)])
        const others = [...running.values()].map(({ config }) => config).filter(({ id }) => !own.has(id))
        const shared = sharedTargets(system, others, protocolOf)
        problems.push(...shared.map(({ path, message }) => `${path}: ${message}`))
      }
      if (problems.length > 0) throw new Failure('rejected', problems.join('; '))
    },

    moved(system) {
      const next = new Map(
        system.connections.flatMap((connection) =>
          connection.datapoints.map((datapoint) => [datapoint.id, { connection, datapoint }] as const),
        ),
      )
      return [...places.values()].flatMap((place) => {
        const { systemId, datapoint, connection } = place
        if (systemId !== system.id || datapoint.accessType === 'READ') return []
        const after = next.get(datapoint.id)
        const before = { connection: connection.config, datapoint }
        const fields = after ? changedFields(before, after, protocolOf) : ['datapoint']
        return fields.length > 0 ? [{ place, fields }] : []
      })
    },

    leave(datapointIds) {
      leaving = datapointIds
    },
    isLeaving: (datapointId) => leaving.has(datapointId),
    apply: (system) => inTurn(() => applySystem(system)),
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
  // What would fit is not known here; an override is accepted while its connection is down.
  const nearest = (_pointId: string, raw: number) => raw
  return { open: refuse, read: refuse, nearest, write: refuse, close: () => Promise.resolve() }
}
