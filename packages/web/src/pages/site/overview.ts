import type { Device } from '@plantroom/contract/api'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import { deviceNow, type Freshness, freshnessOf, type LiveView } from '../../live/live-view.ts'

/** A controller with everything known about it. */
export interface DeviceOverview {
  device: Device
  view: LiveView | undefined
  /** `undefined` until it is loaded. */
  systems: readonly TechnicalSystem[] | undefined
  freshness: Freshness
  /** How old the state is, in milliseconds. */
  ageMs: number
  /** The current time by the clock of the service. */
  now: number
  /** The current time by the clock of the controller, for the ages of its values. */
  controllerNow: number
}

/** Controllers that take turns are heard less often than every two seconds. */
const TURN_MS = 2000

/** Joins what is known of a controller, at a moment. `silentSince`: the service itself is not heard. */
export function overviewOf(
  known: Pick<DeviceOverview, 'device' | 'view' | 'systems'>,
  { now, silentSince, count }: { now: number; silentSince: number | undefined; count: number },
): DeviceOverview {
  const { view } = known
  if (!view)
    return { ...known, freshness: silentSince === undefined ? 'waiting' : 'lost', ageMs: 0, now, controllerNow: now }
  // A stream that was lost in its turn says nothing about the service: the others hear it.
  const stream = silentSince === undefined ? 'open' : 'lost'
  const freshness = freshnessOf({ ...view, stream, receivedAt: view.receivedAt + count * TURN_MS }, now)
  return { ...known, freshness, ageMs: Math.max(0, now - view.receivedAt), now, controllerNow: deviceNow(view, now) }
}

export const isLive = ({ freshness }: Pick<DeviceOverview, 'freshness'>) => freshness === 'live'

/** Lists controllers without a state: `asked` may still answer, `silent` do not. */
export function devicesWithoutState(devices: readonly DeviceOverview[]): {
  asked: DeviceOverview[]
  silent: DeviceOverview[]
} {
  const unknown = devices.filter(({ view }) => !view?.device)
  const isSilent = ({ view, device }: DeviceOverview) => view?.isOffline === true || !device.online
  return { asked: unknown.filter((seen) => !isSilent(seen)), silent: unknown.filter(isSilent) }
}

interface ConnectionTrouble {
  id: string
  name: string | undefined
  status: ConnectionStatus
  error: string | null
}

/** Lists the connections of a controller that do not work; `total` counts all of them. */
export function connectionsOf({ view, systems }: Pick<DeviceOverview, 'view' | 'systems'>): {
  total: number
  troubles: ConnectionTrouble[]
} {
  const names = new Map(systems?.flatMap(({ connections }) => connections.map(({ id, name }) => [id, name] as const)))
  const live = view?.device?.connections ?? []
  const troubles = live
    .filter(({ status }) => status !== CONNECTION_STATUS.connected)
    .map(({ connectionId, status, error }) => ({ id: connectionId, name: names.get(connectionId), status, error }))
  return { total: live.length, troubles }
}

/** Compares texts and numbers in order. */
export function compareKeys(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at]
    if (other !== undefined && value !== other) return value < other ? -1 : 1
  }
  return 0
}

const URGENCY: Readonly<Record<Freshness, number>> = { offline: 0, lost: 1, slow: 1, waiting: 2, live: 3 }

/** Sorts controllers for reading: those that do not answer, those with trouble, the others; each by name. */
export function byUrgency(devices: readonly DeviceOverview[]): DeviceOverview[] {
  const key = (seen: DeviceOverview) => [
    URGENCY[seen.freshness],
    connectionsOf(seen).troubles.length > 0 || seen.view?.device?.clockSuspect ? 0 : 1,
    seen.device.name,
  ]
  return devices.toSorted((a, b) => compareKeys(key(a), key(b)))
}
