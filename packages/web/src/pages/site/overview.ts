import type { ListedDevice } from '@plantroom/client/admin'
import type { Hold, LiveDevice } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import type { LiveView } from '../../live/use-live-device.ts'
import { activeOverride, nextQueued } from '../../parts/hold-words.ts'

type LiveWindow = LiveDevice['overrides'][number]

/** A device with what is known of it. */
export interface SeenDevice {
  device: ListedDevice
  view: LiveView | undefined
  /** `undefined` until it was asked for. */
  systems: readonly TechnicalSystem[] | undefined
}

export interface HeldDatapoint {
  seen: SeenDevice
  hold: Hold
  window: LiveWindow | undefined
  /** `undefined` as long as it is not known, or when it is not commissioned any more. */
  name: string | undefined
  connection: string | undefined
}

const WRITERS = ['demand-response', 'peak-shaving', 'deviation', 'plain'] as const

/** All that is held at a site: what has trouble first, then by who holds it, then what ends first. */
export function heldDatapoints(devices: readonly SeenDevice[]): HeldDatapoint[] {
  return devices
    .flatMap((seen) => {
      const live = seen.view?.device
      if (!live) return []
      const names = datapointNames(seen.systems ?? [])
      return live.holds.map((hold) => ({
        seen,
        hold,
        window: activeOverride(hold, live.overrides),
        ...(names.get(hold.datapointId) ?? { name: undefined, connection: undefined }),
      }))
    })
    .sort((a, b) => compare(urgencyOf(a), urgencyOf(b)))
}

function urgencyOf({ hold, name }: HeldDatapoint): readonly (string | number)[] {
  return [hold.trouble ? 0 : 1, WRITERS.indexOf(hold.by), hold.until ?? '~', name ?? '~', hold.datapointId]
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

/** Devices of which nothing was heard: `asked` those that may still answer, `silent` those that do not. */
export function unheardDevices(devices: readonly SeenDevice[]): { asked: SeenDevice[]; silent: SeenDevice[] } {
  const unheard = devices.filter(({ view }) => !view?.device)
  const isSilent = ({ view, device }: SeenDevice) => view?.offline !== undefined || !device.online
  return { asked: unheard.filter((seen) => !isSilent(seen)), silent: unheard.filter(isSilent) }
}

/** How many overrides wait for their time at a site, and the one whose time comes first. */
export function queuedWindows(devices: readonly SeenDevice[]) {
  const heard = devices.flatMap(({ view, systems }) => (view?.device ? [{ live: view.device, systems }] : []))
  const count = heard.reduce(
    (sum, { live }) =>
      sum + live.overrides.filter(({ state }) => state === 'queued').length + (live.overridesLeftOut ?? 0),
    0,
  )
  const next = nextQueued(heard.flatMap(({ live }) => live.overrides))
  const name = next && datapointNames(heard.flatMap(({ systems }) => systems ?? [])).get(next.datapointId)?.name
  return { count, next, name }
}

export interface ConnectionTrouble {
  id: string
  name: string | undefined
  status: ConnectionStatus
  error: string | null
}

/** What does not work between a device and its equipment. `total` counts those that it has. */
export function connectionsOf({ view, systems }: SeenDevice): { total: number; troubles: ConnectionTrouble[] } {
  const names = new Map(systems?.flatMap(({ connections }) => connections.map(({ id, name }) => [id, name] as const)))
  const live = view?.device?.connections ?? []
  const troubles = live
    .filter(({ status }) => status !== CONNECTION_STATUS.connected)
    .map(({ connectionId, status, error }) => ({ id: connectionId, name: names.get(connectionId), status, error }))
  return { total: live.length, troubles }
}
