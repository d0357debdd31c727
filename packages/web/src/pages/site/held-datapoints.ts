import type { Hold, LiveDevice } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { DatapointValue } from '@plantroom/contract/values'
import { WRITER_NAMES } from '@plantroom/contract/writers'
import { oldAfterMs } from '../../live/live-view.ts'
import { canClose } from '../../parts/close-hold/describe-close.ts'
import { activeOverride, type HoldFailsafe, nextQueued, releaseWaits } from '../../parts/describe-hold.ts'
import { compareKeys, type DeviceOverview } from './overview.ts'

type LiveOverride = LiveDevice['overrides'][number]

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
  isArchived: boolean
  /** The age of the reading, in milliseconds, when it is too old to show what the equipment is at now. */
  oldMs: number | undefined
  /** The time that the hold takes, as far as it is known. */
  span: { from: number; to: number } | undefined
  /** Its release waits for the controller. */
  releaseWaits: boolean
}

/** Returns the slot of a schedule that is active. */
type SlotAt = (systems: readonly TechnicalSystem[], datapointId: string, now: number) => HeldDatapoint['span']

/** Lists what is held at a site: what a person has to close first, then holds with trouble, by writer and by end. */
export function heldDatapoints(devices: readonly DeviceOverview[], slotAt?: SlotAt): HeldDatapoint[] {
  return devices
    .flatMap((seen) => {
      const live = seen.view?.device
      if (!live) return []
      const labels = labelsOf(seen.systems ?? [])
      const values = new Map(live.connections.flatMap((connection) => Object.entries(connection.values)))
      return live.holds.map((hold) => {
        const override = activeOverride(hold, live.overrides)
        const slot = hold.by === 'deviation' ? slotAt?.(seen.systems ?? [], hold.datapointId, seen.now) : undefined
        const until = slot ? new Date(slot.to).toISOString() : hold.until
        const actual = values.get(hold.datapointId)
        const { oldAfter, ...label } = labels.get(hold.datapointId) ?? UNKNOWN
        const ageMs = actual ? seen.controllerNow - Date.parse(actual.timestamp) : 0
        return {
          seen,
          hold: { ...hold, until },
          override,
          span: override && until ? { from: Date.parse(override.from), to: Date.parse(until) } : slot,
          actual,
          oldMs: ageMs > oldAfter ? ageMs : undefined,
          releaseWaits: releaseWaits(hold, live),
          ...label,
        }
      })
    })
    .sort((a, b) => compareKeys(urgencyOf(a), urgencyOf(b)))
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

type Labels = Pick<HeldDatapoint, 'name' | 'unit' | 'connection' | 'isWriteOnly' | 'failsafe' | 'isArchived'> & {
  /** From this age on, in milliseconds, a reading is old. */
  oldAfter: number
}
const UNKNOWN: Labels = {
  name: undefined,
  unit: undefined,
  connection: undefined,
  isWriteOnly: false,
  failsafe: undefined,
  oldAfter: oldAfterMs({}),
  isArchived: false,
}

/** What people call each datapoint, and how it is read. */
export function labelsOf(systems: readonly TechnicalSystem[]): ReadonlyMap<string, Labels> {
  const connections = systems.flatMap((system) => system.connections)
  const failsafes = new Map(systems.flatMap((system) => system.failsafes ?? []).map((each) => [each.datapointId, each]))
  return new Map(
    connections.flatMap(({ name: connection, settings, datapoints }) => {
      const oldAfter = oldAfterMs(settings ?? {})
      return datapoints.map(({ id, name, unit, accessType, analyticsInterval }) => {
        const labels = { name, unit, connection, failsafe: failsafes.get(id), oldAfter }
        return [id, { ...labels, isWriteOnly: accessType === 'WRITE', isArchived: analyticsInterval > 0 }] as const
      })
    }),
  )
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
