import type { Clock } from '@plantroom/base/clock'
import type {
  ControlState,
  Hold,
  Memory as MemoryIdentity,
  PlacedOverride,
  ShownLimits,
  StateNotes,
} from '@plantroom/contract/control-state'
import type { MovedLoad } from '@plantroom/contract/power-limit'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Connections } from '../connections/connections.ts'
import { jsonArray, jsonFields, toJson } from '../json-text.ts'
import type { Limiter } from '../limiting/limiter.ts'
import type { PowerLimits } from '../limiting/power-limits.ts'
import { describeHold, outlook, overridesOf } from '../overrides/outlook.ts'
import type { Overrides } from '../overrides/overrides.ts'
import type { Moment, Timeline } from '../overrides/timeline.ts'
import type { Override } from '../store/override-store.ts'
import type { PowerLimit } from '../store/power-limit-store.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import { allowedAt, plainValue } from '../writing/equipment.ts'
import { plainDocument } from '../writing/hold-document.ts'
import type { LimitKeeper } from '../writing/limit-keeper.ts'
import type { CommandHandler } from './command.ts'
import type { Trials } from './trials.ts'

/** A device may have ten times as many overrides. The reply would not fit into a message with all of them. */
export const MAX_SHOWN_OVERRIDES = 1_000

export interface ControlStateDeps {
  connections: Connections
  arbiter: Arbiter
  overrides: Overrides
  limits: Pick<LimitKeeper, 'block'>
  clock: Clock
  memory(): MemoryIdentity
  trials: Pick<Trials, 'state' | 'rolledBack'>
  limiter: Pick<Limiter, 'state' | 'meterId'>
  powerLimits: Pick<PowerLimits, 'all'>
  /** What power limits last did to loads, as the journal has it. */
  moved(): ReadonlyMap<string, MovedLoad>
}

/** `getControlState`: answers from memory and the open journal. Touches no equipment and writes nothing. */
export function getControlState(deps: ControlStateDeps): CommandHandler<'getControlState'> {
  const { connections, overrides, clock } = deps
  return () => {
    const { timelines, now, clockSuspect } = overrides.view()
    const shown = shownOverrides(timelines)
    const limits = describeLimits(deps)
    const notes = notesOf(deps, shown.placed)
    const powerLimit = deps.limiter.state()
    const [trial, rolledBack] = [deps.trials.state(), deps.trials.rolledBack()]
    return jsonFields<ControlState>({
      at: toJson(formatTimestamp(clock.now())),
      clockSuspect: toJson(clockSuspect),
      connections: jsonArray(Array.from(connections.running(), (connection) => connection.values())),
      holds: toJson(describeHolds(deps, timelines, now)),
      overrides: toJson(shown.overrides),
      ...(Object.keys(limits).length > 0 && { limits: toJson(limits) }),
      ...(powerLimit && { powerLimit: toJson(powerLimit) }),
      ...(shown.leftOut > 0 && { overridesLeftOut: toJson(shown.leftOut) }),
      ...(notes && { notes: toJson(notes) }),
      memory: toJson(deps.memory()),
      ...(trial && { trial: toJson(trial) }),
      ...(rolledBack && { rolledBack: toJson(rolledBack) }),
    })
  }
}

/**
 * Returns what the cloud keeps for the time when the device is offline: the same state, with the values of held
 * datapoints only and without limits.
 */
export function keptState(deps: ControlStateDeps): ControlState {
  const { connections, overrides, clock } = deps
  const { timelines, now, clockSuspect } = overrides.view()
  const shown = shownOverrides(timelines)
  const notes = notesOf(deps, shown.placed)
  const holds = describeHolds(deps, timelines, now)
  const powerLimit = deps.limiter.state()
  const [trial, rolledBack] = [deps.trials.state(), deps.trials.rolledBack()]
  const timestamp = formatTimestamp(clock.now())
  const values = Map.groupBy(
    holds.flatMap(({ datapointId }) => connections.find(datapointId) ?? []),
    ({ connection }) => connection.config.id,
  )
  return {
    at: timestamp,
    clockSuspect,
    connections: Array.from(connections.running(), ({ config, status, error, current }) => ({
      connectionId: config.id,
      status: status(),
      error: error(),
      timestamp,
      values: Object.fromEntries((values.get(config.id) ?? []).map(({ datapoint: { id } }) => [id, current(id)])),
    })),
    holds,
    overrides: shown.overrides,
    ...(powerLimit && { powerLimit }),
    ...(shown.leftOut > 0 && { overridesLeftOut: shown.leftOut }),
    ...(notes && { notes }),
    memory: deps.memory(),
    ...(trial && { trial }),
    ...(rolledBack && { rolledBack }),
  }
}

const NOTHING_MOVED: ReadonlyMap<string, MovedLoad> = new Map()

/** What a controller that replaces this one needs besides; `undefined` when nothing is placed or held. */
function notesOf(deps: ControlStateDeps, placed: readonly Override[]): StateNotes | undefined {
  const { arbiter, powerLimits } = deps
  const limits = powerLimits.all()
  const moved = deps.limiter.meterId() === undefined ? NOTHING_MOVED : deps.moved()
  const plain = Array.from(arbiter.holds(), ({ datapointId, hold }) => {
    return hold.plain && ([datapointId, plainDocument(hold.plain)] as const)
  })
  if (plain.length + placed.length + limits.length + moved.size === 0) return undefined
  return {
    plain: Object.fromEntries(plain.filter((entry) => entry !== undefined)),
    overrides: Object.fromEntries(placed.map(noteOf)),
    ...(limits.length > 0 && { limits: Object.fromEntries(limits.map(noteOf)) }),
    ...(moved.size > 0 && { moved: Object.fromEntries(moved) }),
  }
}

const noteOf = ({ id, seq, placedByName, reason }: Override | PowerLimit) =>
  [id, { seq, placedByName, reason }] as const

function describeHolds(
  { arbiter, connections }: ControlStateDeps,
  timelines: ReadonlyMap<string, Timeline>,
  now: Moment,
): Hold[] {
  return Array.from(arbiter.holds(), (held) => {
    const place = connections.find(held.datapointId)
    const timeline = timelines.get(held.datapointId)
    return describeHold(held, {
      plain: place ? plainValue(held.hold, place) : null,
      outlook: timeline && outlook(timeline, now),
      ...(place && allowedAt(place)),
    })
  })
}

/** Returns the limits by datapoint, and from when on each may be switched where it may not be now. */
function describeLimits({ connections, limits }: ControlStateDeps): Record<string, ShownLimits> {
  const shown: Record<string, ShownLimits> = {}
  for (const place of connections.all()) {
    const { id, limits: own } = place.datapoint
    if (!own) continue
    const [start, stop] = [limits.block(place, 1), limits.block(place, 0)]
    shown[id] = {
      ...own,
      ...(start && { mayStartAt: formatTimestamp(start.until) }),
      ...(stop && { mayStopAt: formatTimestamp(stop.until) }),
    }
  }
  return shown
}

/** Returns active overrides first, then queued, then superseded ones, and how many the limit leaves out. */
function shownOverrides(timelines: ReadonlyMap<string, Timeline>): {
  overrides: PlacedOverride[]
  placed: Override[]
  leftOut: number
} {
  const byState: Record<PlacedOverride['state'], StatedOverride[]> = { active: [], queued: [], superseded: [] }
  for (const timeline of timelines.values()) for (const one of overridesOf(timeline)) byState[one.state].push(one)
  const all = [...byState.active, ...byState.queued, ...byState.superseded]
  const shown = all.slice(0, MAX_SHOWN_OVERRIDES)
  return {
    overrides: shown.map(({ override, state }) => placedOverride(override, state)),
    placed: shown.map(({ override }) => override),
    leftOut: all.length - shown.length,
  }
}

interface StatedOverride {
  override: Override
  state: PlacedOverride['state']
}

function placedOverride(override: Override, state: PlacedOverride['state']): PlacedOverride {
  const { id, datapointId, value, from, to, reqId, placedBy } = override
  return { id, datapointId, value, from: formatTimestamp(from), to: formatTimestamp(to), reqId, placedBy, state }
}
