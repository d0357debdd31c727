import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { DeviceTarget } from '@plantroom/contract/commissioning'
import type {
  Connection as ConnectionConfig,
  Consumption,
  Datapoint,
  TechnicalSystem,
} from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, DriverListener, Problem, Protocol } from '@plantroom/drivers/driver'
import {
  type ChangedFields,
  changedFields,
  laterTargets,
  outerTargets,
  type SharedTarget,
  sharedTargets,
} from './check-targets.ts'
import { failsafeProblems, limitProblems, releaseValueProblems } from './check-values.ts'
import { type Connection, startConnection } from './connection.ts'
import { type ConnectionFigures, type ConnectionListener, type Counters, newCounters } from './connection-state.ts'
import type { ShownHold } from './live-values.ts'

/** A datapoint, its connection and its technical system. */
export interface Place {
  systemId: string
  /** The site's, which days are counted in. */
  timeZone: string
  connection: Connection
  datapoint: Datapoint
  /** Returns how a power limit bounds it now. */
  bound(): Bound | undefined
  consumption: Consumption | undefined
}

/** A range in engineering units, or the value that stops a load. */
export type Bound = Readonly<{ min?: number; max?: number } | { stop: number }>

/** All connections of the device, as commissioned. */
export interface Connections {
  /** Returns every reason why this device cannot run the system; none when it can. */
  problemsOf(system: TechnicalSystem): Problem[]
  /** Lists what the system would write, except on the controller's own machine. The system must be valid. */
  targetsOf(system: TechnicalSystem): DeviceTarget[]
  /** Lists the writable datapoints that this system would move to other equipment or remove, and what differs. */
  moved(system: TechnicalSystem): MovedDatapoint[]
  /** Starts, restarts and closes connections as the system says. Unchanged connections keep running. */
  apply(system: TechnicalSystem): Promise<void>
  /**
   * Marks datapoints that are about to be moved or removed: no writer may take them, and nothing more is sent to the
   * equipment behind them. Replaces the earlier marks.
   */
  leave(datapointIds: ReadonlySet<string>): void
  /** Reports whether no writer may take the datapoint: it is about to be moved or removed, or blocked. */
  isLeaving(datapointId: string): boolean
  /** The datapoints that are not written because an older one writes the same address. */
  shared(): readonly SharedTarget[]
  /**
   * Returns why no writer may take a datapoint: it writes the address of an older one, or it is that older one, and the
   * other is not restored yet. `undefined` for all others.
   */
  blocked(datapointId: string): string | undefined
  /** Sets what says which datapoints are held or not yet restored. */
  watchHolds(isHeld: (datapointId: string) => boolean): void
  get(connectionId: string): Connection | undefined
  running(): Iterable<Connection>
  find(datapointId: string): Place | undefined
  /** Every datapoint. */
  all(): Iterable<Place>
  /** Returns the status of each connection and its counters since the device started. */
  figures(): ConnectionFigures[]
  /** Bounds what is written to datapoints; `undefined` removes a bound. */
  bind(datapointId: string, bound: Bound | undefined): void
  /** Shows a hold until it is removed with `undefined`, even when the datapoint's connection restarts. */
  show(datapointId: string, hold: ShownHold | undefined): void
  /** Sets the one listener to events of all connections. */
  listen(listener: ConnectionListener): void
  /** Calls the watcher with every live value, of every poll. It must not throw. Returns how to end that. */
  watchValues(watcher: ValueWatcher): () => void
  close(): Promise<void>
}

export type ValueWatcher = NonNullable<ConnectionListener['value']>

/** `fields` and `fixed` are `datapoint` when it would be removed. */
export interface MovedDatapoint extends ChangedFields {
  place: Place
}

interface ConnectionsDeps {
  protocols: Readonly<Record<string, Protocol>>
  clock: Clock
  log: Log
}

interface State extends ConnectionsDeps {
  running: Map<string, Connection>
  /** The connection ids of each technical system. */
  systems: Map<string, readonly string[]>
  places: Map<string, Place>
  shownHolds: Map<string, ShownHold>
  bounds: Map<string, Bound>
  counters: Map<string, Counters>
  leaving: ReadonlySet<string>
  shared: readonly SharedTarget[]
  isHeld: (datapointId: string) => boolean
  listener: ConnectionListener | undefined
  watchers: Set<ValueWatcher>
  lastTurn: Promise<unknown>
}

export function createConnections(deps: ConnectionsDeps): Connections {
  const state: State = {
    ...deps,
    running: new Map(),
    systems: new Map(),
    places: new Map(),
    shownHolds: new Map(),
    bounds: new Map(),
    counters: new Map(),
    leaving: new Set(),
    shared: [],
    isHeld: () => false,
    listener: undefined,
    watchers: new Set(),
    lastTurn: Promise.resolve(),
  }
  const { running, places, shownHolds, counters } = state
  return {
    problemsOf: (system) => problemsOfSystem(state, system),
    targetsOf: (system) => outerTargets(system, (config) => protocolOf(state, config)),
    moved: (system) => movedDatapoints(state, system),
    leave(datapointIds) {
      state.leaving = datapointIds
    },
    isLeaving: (datapointId) => state.leaving.has(datapointId) || blockedBy(state, datapointId) !== undefined,
    shared: () => state.shared,
    blocked: (datapointId) => blockedBy(state, datapointId),
    watchHolds(isHeld) {
      state.isHeld = isHeld
    },
    apply: (system) => inTurn(state, () => applySystem(state, system)),
    get: (connectionId) => running.get(connectionId),
    running: () => running.values(),
    find: (datapointId) => places.get(datapointId),
    all: () => places.values(),
    figures: () =>
      Array.from(running.values(), ({ config: { id, name, protocol }, status }) => ({
        id,
        name,
        protocol,
        status: status(),
        ...(counters.get(id) ?? newCounters()),
      })),
    bind(datapointId, bound) {
      if (bound) state.bounds.set(datapointId, bound)
      else state.bounds.delete(datapointId)
    },
    show(datapointId, hold) {
      if (hold) shownHolds.set(datapointId, hold)
      else shownHolds.delete(datapointId)
      places.get(datapointId)?.connection.show(datapointId, hold)
    },
    listen(listener) {
      state.listener = listener
    },
    watchValues(watcher) {
      state.watchers.add(watcher)
      return () => state.watchers.delete(watcher)
    },
    close: () =>
      inTurn(state, async () => {
        await Promise.all([...running.keys()].map((id) => closeConnection(state, id)))
        forgetClosed(state)
      }),
  }
}

// One change at a time: of two concurrent ones, the loser's link would be polled forever.
function inTurn(state: State, change: () => Promise<void>): Promise<void> {
  const turn = state.lastTurn.then(change)
  state.lastTurn = turn.catch(() => {})
  return turn
}

function problemsOfSystem(state: State, system: TechnicalSystem): Problem[] {
  const problems = system.connections.flatMap((connection, index) =>
    problemsOfConnection(state, connection, system.failsafes).map(({ path, message }) => ({
      path: `connections[${index}].${path}`,
      message,
    })),
  )
  if (problems.length > 0) return problems
  const own = new Set([...(state.systems.get(system.id) ?? []), ...system.connections.map(({ id }) => id)])
  const others = [...state.running.values()].map(({ config }) => config).filter(({ id }) => !own.has(id))
  return sharedTargets(system, others, (config) => protocolOf(state, config))
}

function problemsOfConnection(
  state: State,
  connection: ConnectionConfig,
  failsafes: TechnicalSystem['failsafes'],
): readonly Problem[] {
  const protocol = protocolOf(state, connection)
  if (!protocol) return [{ path: 'protocol', message: `this device has no driver for ${connection.protocol}` }]
  const problems = protocol.check(connection)
  if (problems.length > 0) return problems
  return [
    ...releaseValueProblems(connection, protocol),
    ...limitProblems(connection, protocol),
    ...failsafeProblems(connection, protocol, failsafes),
  ]
}

function movedDatapoints(state: State, system: TechnicalSystem): MovedDatapoint[] {
  const next = new Map(
    system.connections.flatMap((connection) =>
      connection.datapoints.map((datapoint) => [datapoint.id, { connection, datapoint }] as const),
    ),
  )
  return [...state.places.values()].flatMap((place) => {
    const { systemId, datapoint, connection } = place
    if (systemId !== system.id || datapoint.accessType === 'READ') return []
    const after = next.get(datapoint.id)
    const before = { connection: connection.config, datapoint }
    const changed = after ? changedFields(before, after, (config) => protocolOf(state, config)) : REMOVED
    return changed.fields.length > 0 ? [{ place, ...changed }] : []
  })
}

const REMOVED: ChangedFields = { fields: ['datapoint'], fixed: ['datapoint'] }

function blockedBy({ shared, isHeld }: State, datapointId: string): string | undefined {
  for (const { first, second, name } of shared) {
    if (second.id === datapointId) {
      return `datapoint ${second.name} is not written: datapoint ${first.name} writes the same ${name}; remove one of them from the commissioning file`
    }
    if (first.id === datapointId && isHeld(second.id)) {
      return `datapoint ${first.name} is not written yet: datapoint ${second.name} writes the same ${name} and is not restored; close its hold if it cannot be restored`
    }
  }
  return undefined
}

/** Finds the datapoints that share an address. A commissioning file cannot bring one in; a journal can. */
function findShared(state: State): void {
  const known = new Set(state.shared.map(({ second }) => second.id))
  const configs = [...state.running.values()].map(({ config }) => config)
  state.shared = laterTargets(configs, (config) => protocolOf(state, config))
  for (const { first, second, name } of state.shared) {
    if (known.has(second.id)) continue
    state.log.error(
      { datapoint: second.name, first: first.name, address: name },
      'two datapoints write one address; the second is not written',
    )
  }
}

async function applySystem(state: State, system: TechnicalSystem): Promise<void> {
  const { running, systems, places, bounds } = state
  const wanted = new Set(system.connections.map((connection) => connection.id))
  for (const id of systems.get(system.id) ?? []) if (!wanted.has(id)) await closeConnection(state, id)
  systems.set(system.id, [...wanted])
  for (const config of system.connections) {
    let connection = running.get(config.id)
    if (!connection || !isDeepStrictEqual(connection.config, config)) {
      await closeConnection(state, config.id)
      connection = openConnection(state, config)
    }
    const { id: systemId, timeZone = 'UTC' } = system
    for (const datapoint of config.datapoints) {
      const bound = () => bounds.get(datapoint.id)
      const consumption = system.consumption?.find(({ datapointId }) => datapointId === datapoint.id)
      places.set(datapoint.id, { systemId, timeZone, connection, datapoint, consumption, bound })
    }
  }
  // Last, so that a datapoint stays known while its connection restarts.
  forgetClosed(state)
  findShared(state)
}

function openConnection(state: State, config: ConnectionConfig): Connection {
  const { clock, log } = state
  const counters = state.counters.get(config.id) ?? newCounters()
  state.counters.set(config.id, counters)
  const connection = startConnection({
    config,
    connect: (listener) => driverFor(state, config, listener),
    clock,
    log,
    counters,
    isLeaving: (datapointId) => state.leaving.has(datapointId),
    listener: {
      connected: (connectionId) => state.listener?.connected(connectionId),
      reading: (datapointId, reading) => state.listener?.reading(datapointId, reading),
      value(datapointId, value) {
        for (const watcher of state.watchers) watcher(datapointId, value)
      },
    },
  })
  for (const { id } of config.datapoints) connection.show(id, state.shownHolds.get(id))
  state.running.set(config.id, connection)
  return connection
}

async function closeConnection({ running }: State, connectionId: string): Promise<void> {
  const connection = running.get(connectionId)
  running.delete(connectionId)
  await connection?.close()
}

function forgetClosed({ counters, running, places }: State): void {
  for (const id of counters.keys()) if (!running.has(id)) counters.delete(id)
  for (const [id, { connection }] of places) {
    if (running.get(connection.config.id) !== connection) places.delete(id)
  }
}

// A connection that an older version accepted and this one cannot run must not stop the others.
function driverFor(state: State, config: ConnectionConfig, listener: DriverListener): Driver {
  try {
    const protocol = protocolOf(state, config)
    return protocol ? protocol.connect(config, listener) : unusable(`this device has no driver for ${config.protocol}`)
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error))
  }
}

function protocolOf({ protocols }: State, config: ConnectionConfig): Protocol | undefined {
  return Object.hasOwn(protocols, config.protocol) ? protocols[config.protocol] : undefined
}

/** A driver that always fails, so that its reason shows as the error of the connection. */
function unusable(reason: string): Driver {
  const refuse = () => Promise.reject(new Failure('invalid', reason))
  // Without a driver every value counts as fitting: overrides are accepted while their connection is down.
  const nearest = (_pointId: string, raw: number) => raw
  return { open: refuse, read: refuse, nearest, write: refuse, close: () => Promise.resolve() }
}
