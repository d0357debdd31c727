import type { Device } from '@plantroom/contract/api'
import type { Hold, LiveDevice } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import { WRITER_NAMES } from '@plantroom/contract/writers'
import type { LiveView } from '../../live/live-devices.ts'
import { activeOverride, nextQueued } from '../../parts/describe-hold.ts'

type LiveOverride = LiveDevice['overrides'][number]

/** A controller with everything known about it. */
export interface DeviceOverview {
  device: Device
  view: LiveView | undefined
  /** `undefined` until it is loaded. */
  systems: readonly TechnicalSystem[] | undefined
}

export interface HeldDatapoint {
  seen: DeviceOverview
  hold: Hold
  override: LiveOverride | undefined
  /** `undefined` until it is loaded, or when the datapoint is no longer commissioned. */
  name: string | undefined
  connection: string | undefined
}

/** Lists what is held at a site: holds with trouble first, then by writer, then by end. */
export function heldDatapoints(devices: readonly DeviceOverview[]): HeldDatapoint[] {
  return devices
    .flatMap((seen) => {
      const live = seen.view?.device
      if (!live) return []
      const names = datapointNames(seen.systems ?? [])
      return live.holds.map((hold) => ({
        seen,
        hold,
        override: activeOverride(hold, live.overrides),
        ...(names.get(hold.datapointId) ?? { name: undefined, connection: undefined }),
      }))
    })
    .sort((a, b) => compare(urgencyOf(a), urgencyOf(b)))
}

function urgencyOf({ hold, name }: HeldDatapoint): readonly (string | number)[] {
  return [hold.trouble ? 0 : 1, WRITER_NAMES.indexOf(hold.by), hold.until ?? '~', name ?? '~', hold.datapointId]
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at]
    if (other !== undefined && value !== other) return value < other ? -1 : 1
  }
  return 0
}

function datapointNames(systems: readonly TechnicalSystem[]) {
  const connections = systems.flatMap((system) => system.connections)
  return new Map(
    connections.flatMap((connection) =>
      connection.datapoints.map(({ id, name }) => [id, { name, connection: connection.name }] as const),
    ),
  )
}

/** Lists controllers without a live state: `asked` may still answer, `silent` do not. */
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
  const name = next && datapointNames(known.flatMap(({ systems }) => systems ?? [])).get(next.datapointId)?.name
  return { count, next, name }
}

interface ConnectionTrouble {
  id: string
  name: string | undefined
  status: ConnectionStatus
  error: string | null
}

/** Lists the connections of a controller that do not work; `total` counts all of them. */
export function connectionsOf({ view, systems }: DeviceOverview): { total: number; troubles: ConnectionTrouble[] } {
  const names = new Map(systems?.flatMap(({ connections }) => connections.map(({ id, name }) => [id, name] as const)))
  const live = view?.device?.connections ?? []
  const troubles = live
    .filter(({ status }) => status !== CONNECTION_STATUS.connected)
    .map(({ connectionId, status, error }) => ({ id: connectionId, name: names.get(connectionId), status, error }))
  return { total: live.length, troubles }
}
