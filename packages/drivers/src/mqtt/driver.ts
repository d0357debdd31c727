import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, DriverListener, Protocol, ProtocolDeps, Reading, Writable } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { refuseProblems } from '../fields.ts'
import { createQueue, type Queue } from '../queue.ts'
import { commandPayload, nearestRaw } from './codec.ts'
import { type Command, type MqttConfig, parseConfig } from './config.ts'
import { restoringPayload } from './image.ts'
import { addressOf, type Link, openLink } from './link.ts'
import { absenceOf, commonAbsence, type PlannedPoint, planTopics } from './plan.ts'
import { createStateTracker, MAX_ECHO_MS, type StateTracker } from './state-tracker.ts'
import { targetsOf } from './targets.ts'

/** Equipment behind an MQTT broker: it publishes its state on one topic and accepts commands on another. */
export function createMqttProtocol(deps: ProtocolDeps): Protocol {
  return {
    check: (connection) => parseConfig(connection).problems,
    targets: (connection) => targetsOf(parseConfig(connection).config),
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection)
      refuseProblems(problems)
      const ids = connection.datapoints.map(({ id }) => id)
      return createDriver(config, ids, { ...deps, listener })
    },
  }
}

interface State {
  readonly clock: Clock
  readonly lookup: ProtocolDeps['lookup']
  readonly listener: DriverListener | undefined
  readonly settings: MqttConfig['settings']
  readonly topics: readonly string[]
  readonly points: readonly PlannedPoint[]
  readonly pointsById: ReadonlyMap<string | undefined, PlannedPoint>
  readonly states: StateTracker
  /** The writes of each point are sent in order. */
  readonly queues: ReadonlyMap<PlannedPoint, Queue>
  readonly clientId: string
  link: Link | undefined
  opening: AbortController
}

/** @param ids of the config's points, in the same order */
function createDriver(
  config: MqttConfig,
  ids: readonly string[],
  { clock, lookup, listener }: ProtocolDeps & { listener: DriverListener | undefined },
): Driver {
  const { settings } = config
  const { points, topics } = planTopics(config)
  const state: State = {
    clock,
    lookup,
    listener,
    settings,
    topics,
    points,
    pointsById: new Map(points.map((point, index) => [ids[index], point])),
    states: createStateTracker(topics, Math.min(settings.timeoutMs, MAX_ECHO_MS), clock),
    queues: new Map(points.map((point) => [point, createQueue()])),
    // The same for each link, so that the broker ends the last one if it has not noticed its loss. Every broker must
    // accept 23 letters and digits.
    clientId: settings.clientId ?? newId('plr').replace('_', ''),
    link: undefined,
    opening: new AbortController(),
  }
  return {
    open: (signal) => open(state, signal),
    read: (pointIds, { urgent = false } = {}) => read(state, pointIds, urgent),
    nearest: (pointId, raw) => nearestRaw(commandOf(state, pointId).command, raw),
    write: (pointId, value, { stillWanted = () => true } = {}) => write(state, pointId, value, stillWanted),
    close: async () => leave(state),
  }
}

async function open(state: State, signal: AbortSignal): Promise<void> {
  const { settings, clientId, topics, clock, lookup, listener, states } = state
  if (state.link && !state.link.lost.aborted) return
  leave(state)
  const opening = new AbortController()
  state.opening = opening
  states.clear()
  const link = await openLink({
    settings,
    clientId,
    topics,
    clock,
    lookup,
    signal: AbortSignal.any([signal, opening.signal]),
    listener,
    onMessage(topic, payload, retained) {
      if (opening === state.opening) states.cache.receive(topic, payload, { retained, now: clock.monotonic() })
    },
  })
  for (const topic of link.refused) {
    states.cache.giveUp(topic, `the broker refused the subscription to ${excerpt(topic)}`)
  }
  state.link = link
  link.lost.addEventListener('abort', () => {
    if (state.link === link) listener?.lost(link.lost.reason)
  })
  states.subscribed()
}

function leave(state: State): void {
  state.opening.abort()
  const left = state.link
  state.link = undefined
  left?.end()
}

async function read(state: State, pointIds: readonly string[], urgent: boolean): Promise<Reading[]> {
  const { points, pointsById, states } = state
  const { lost } = openedLink(state)
  const asked = pointIds.map((id) => pointsById.get(id))
  await states.decided(points, lost)
  requireEquipment(state)
  if (urgent) await Promise.all(asked.map((point) => states.settled(point, lost)))
  lost.throwIfAborted()
  requireEquipment(state)
  return asked.map((point, index): Reading => {
    if (point) return states.reading(point)
    return { error: `${excerpt(pointIds[index] ?? '')} is not a datapoint of this connection` }
  })
}

async function write(state: State, pointId: string, value: Writable, stillWanted: () => boolean): Promise<void> {
  const { states, queues } = state
  const { point, command } = commandOf(state, pointId)
  const payload = typeof value === 'object' ? restoringPayload(command, value) : commandPayload(command, value)
  const { publish, lost } = openedLink(state)
  const inTurn = queues.get(point) as Queue
  const { acknowledged } = await inTurn(async () => {
    await states.decided([point], lost)
    // The broker would acknowledge a command that the equipment never receives.
    const absence = absenceOf(point, states.cache.latest)
    if (absence !== undefined) throw new Failure('offline', `${point.name}: ${absence}; nothing was sent`)
    if (!stillWanted()) throw new Failure('conflict', `${point.name}: no longer wanted; nothing was sent`)
    states.expectStateAfter(point, value)
    return { acknowledged: publish(command, payload) }
  })
  await acknowledged
}

function openedLink({ link, settings }: State): Link {
  if (!link) throw new Failure('offline', `the connection to ${addressOf(settings)} is not open`)
  link.lost.throwIfAborted()
  return link
}

function commandOf({ pointsById }: State, pointId: string): { point: PlannedPoint; command: Command } {
  const point = pointsById.get(pointId)
  if (!point) throw new Failure('rejected', `${excerpt(pointId)} is not a datapoint of this connection`)
  if (!point.command) throw new Failure('rejected', `${point.name} can only be read`)
  return { point, command: point.command }
}

/** Throws if the equipment is absent: the link to the broker alone says nothing about the equipment. */
function requireEquipment({ points, states }: State): void {
  const absence = commonAbsence(points, states.cache.latest)
  if (absence !== undefined) throw new Failure('offline', absence)
}
