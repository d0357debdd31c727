import type { Device } from '@plantroom/contract/api'
import type { Hold, LiveDevice } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS, type ConnectionStatus, type DatapointValue } from '@plantroom/contract/values'
import { WRITER_NAMES } from '@plantroom/contract/writers'
import { deviceNow, type Freshness, freshnessOf, type LiveView } from '../../live/live-view.ts'
import { canClose } from '../../parts/close-hold/describe-close.ts'
import { activeOverride, type HoldFailsafe, nextQueued, releaseWaits } from '../../parts/describe-hold.ts'

type LiveOverride = LiveDevice['overrides'][number]

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

export interface HeldDatapoint {
  seen: DeviceOverview
  hold: Hold
  override: LiveOverride | undefined
  /** What the equipment is at; `undefined` when the controller did not say. */
  actual: DatapointValue | undefined
  /** `undefined` until it is loaded, or when the datapoint is no longer commissioned. */
  name: string | undefined
  unit: string | undefined
  connection: string | undefined
  isWriteOnly: boolean
  failsafe: HoldFailsafe | undefined
  /** Its release waits for the controller. */
  releaseWaits: boolean
}

/** Lists what is held at a site: what a person has to close first, then holds with trouble, by writer and by end. */
export function heldDatapoints(devices: readonly DeviceOverview[]): HeldDatapoint[] {
  return devices
    .flatMap((seen) => {
      const live = seen.view?.device
      if (!live) return []
      const labels = labelsOf(seen.systems ?? [])
      const values = new Map(live.connections.flatMap((connection) => Object.entries(connection.values)))
      return live.holds.map((hold) => ({
        seen,
        hold,
        override: activeOverride(hold, live.overrides),
        actual: values.get(hold.datapointId),
        releaseWaits: releaseWaits(hold, live),
        ...(labels.get(hold.datapointId) ?? UNKNOWN),
      }))
    })
    .sort((a, b) => compare(urgencyOf(a), urgencyOf(b)))
}

function urgencyOf({ hold, name }: HeldDatapoint): readonly (string | number)[] {
  return [
    canClose(hold) ? 0 : hold.trouble ? 1 : 2,
    WRITER_NAMES.indexOf(hold.by),
    hold.until ?? '~',
    name ?? '~',
    hold.datapointId,
  ]
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at]
    if (other !== undefined && value !== other) return value < other ? -1 : 1
  }
  return 0
}

type Labels = Pick<HeldDatapoint, 'name' | 'unit' | 'connection' | 'isWriteOnly' | 'failsafe'>
const UNKNOWN: Labels = {
  name: undefined,
  unit: undefined,
  connection: undefined,
  isWriteOnly: false,
  failsafe: undefined,
}

/** What people call each datapoint, and how it is read. */
export function labelsOf(systems: readonly TechnicalSystem[]): ReadonlyMap<string, Labels> {
  const connections = systems.flatMap((system) => system.connections)
  const failsafes = new Map(systems.flatMap((system) => system.failsafes ?? []).map((each) => [each.datapointId, each]))
  return new Map(
    connections.flatMap((connection) =>
      connection.datapoints.map(({ id, name, unit, accessType }) => {
        const isWriteOnly = accessType === 'WRITE'
        return [id, { name, unit, connection: connection.name, isWriteOnly, failsafe: failsafes.get(id) }] as const
      }),
    ),
  )
}

/** Lists controllers without a state: `asked` may still answer, `silent` do not. */
export function devicesWithoutState(devices: readonly DeviceOverview[]): {
  asked: DeviceOverview[]
  silent: DeviceOverview[]
} {
  const unknown = devices.filter(({ view }) => !view?.device)
  const isSilent = ({ view, device }: DeviceOverview) => view?.isOffline === true || !device.online
  return { asked: unknown.filter((seen) => !isSilent(seen)), silent: unknown.filter(isSilent) }
}

/** Counts the queued overrides of a site and finds the one that starts first. */
export function queuedOverrides(devices: readonly DeviceOverview[]) {
  const known = devices.flatMap(({ view, systems }) => (view?.device ? [{ live: view.device, systems }] : []))
  const count = known.reduce(
    (sum, { live }) =>
      sum + live.overrides.filter(({ state }) => state === 'queued').length + (live.overridesLeftOut ?? 0),
    0,
  )
  const next = nextQueued(known.flatMap(({ live }) => live.overrides))
  const labels = next && labelsOf(known.flatMap(({ systems }) => systems ?? [])).get(next.datapointId)
  return { count, next, name: labels?.name, unit: labels?.unit }
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

const URGENCY: Readonly<Record<Freshness, number>> = { offline: 0, lost: 1, slow: 1, waiting: 2, live: 3 }

/** Sorts controllers for reading: those that do not answer, those with trouble, the others; each by name. */
export function byUrgency(devices: readonly DeviceOverview[]): DeviceOverview[] {
  const key = (seen: DeviceOverview) => [
    URGENCY[seen.freshness],
    connectionsOf(seen).troubles.length > 0 || seen.view?.device?.clockSuspect ? 0 : 1,
    seen.device.name,
  ]
  return devices.toSorted((a, b) => compare(key(a), key(b)))
}
