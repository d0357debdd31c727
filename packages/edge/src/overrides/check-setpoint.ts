import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Connections, Place } from '../connections/connections.ts'
import { toEngineering } from '../connections/scaling.ts'
import type { Override } from '../store/override-store.ts'
import type { Failsafes } from '../writing/failsafes.ts'
import type { LimitKeeper } from '../writing/limit-keeper.ts'
import { rangeProblem } from '../writing/limits.ts'
import { checkWindow, type Placed, type Quotas } from './check-window.ts'
import type { OverrideState } from './evaluate.ts'
import { items } from './sorted-tree.ts'
import type { Timekeeper } from './timekeeper.ts'
import type { Moment } from './timeline.ts'

/** What a caller asks for. */
export interface Setpoint {
  datapointId: string
  value: number
  from: number
  to: number
  /** Why, in the words of the caller. */
  reason?: string
}

/** What accepting a setpoint depends on. */
export interface CheckDeps {
  connections: Connections
  failsafes: Pick<Failsafes, 'guards'>
  limits: Pick<LimitKeeper, 'block'>
  quotas: Quotas
  timekeeper: Timekeeper
}

type Overrides = Pick<OverrideState, 'byId' | 'byCaller' | 'counts'>

export const datapointNotLoaded = (id: string) => `datapoint ${shown(id)} is not loaded on this device`

/** Throws a `Failure` that says why this device does not accept the setpoint from this caller. */
export function checkSetpoint(state: CheckDeps & Overrides, setpoint: Setpoint, placedBy: string, time: Moment): void {
  const { connections, failsafes, timekeeper, quotas } = state
  const { datapointId, from, to } = setpoint
  const place = connections.find(datapointId)
  if (!place) throw rejected(datapointNotLoaded(datapointId))
  const { datapoint } = place
  if (datapoint.accessType === 'READ') throw rejected(`datapoint ${datapoint.name} is READ: it cannot be written`)
  if (failsafes.guards(datapointId)) {
    throw rejected(`datapoint ${datapoint.name} is the failsafe register of another datapoint`)
  }
  const clockSuspect = timekeeper.suspect()
  checkWindow({ from, to, now: time.wall, clockSuspect, quotas, ...placedSoFar(state, placedBy) })
  checkLimits(state, place, setpoint)
}

/** Throws when the equipment cannot hold the value, or the limits of the datapoint do not allow it. */
function checkLimits({ limits }: CheckDeps, place: Place, { datapointId, value, from }: Setpoint): void {
  const { datapoint, connection } = place
  const held = toEngineering(connection.toRaw(datapointId, value), datapoint.scaler)
  const outside = rangeProblem(value, datapoint.limits)
  if (outside) throw rejected(`${outside} of datapoint ${datapoint.name}; send a value within its limits`)
  const blocked = limits.block(place, held, from)
  if (blocked) {
    const start = formatTimestamp(blocked.until)
    throw rejected(
      `datapoint ${datapoint.name} must not be switched ${held === 0 ? 'off' : 'on'} yet: ${blocked.reason}; let the override start at ${start} or later`,
    )
  }
}

function placedSoFar({ byId, byCaller, counts }: Overrides, caller: string): { inAll: Placed; ofCaller: Placed } {
  const { count = 0, overrides } = byCaller.get(caller) ?? {}
  return {
    inAll: { count: counts.get('overrides') ?? 0, nextEnd: () => firstEnd(byId.kept.values()) },
    ofCaller: { count, nextEnd: () => firstEnd(items(overrides)) },
  }
}

function firstEnd(overrides: Iterable<Override>): number | undefined {
  let first: number | undefined
  for (const { to } of overrides) first = Math.min(first ?? to, to)
  return first
}

const rejected = (message: string) => new Failure('rejected', message)
