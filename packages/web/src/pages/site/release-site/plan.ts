import type { NamedOverride } from '../../../parts/describe-hold.ts'
import { labelsOf } from '../held-datapoints.ts'
import { type DeviceOverview, isLive } from '../overview.ts'

/** A datapoint that a release of the whole site frees, with the overrides to cancel: the active one last. */
export interface PlannedRelease {
  datapointId: string
  /** `undefined` when it is no longer commissioned. */
  name: string | undefined
  unit: string | undefined
  /** What it is held at; `undefined` when its overrides are only queued. */
  value: number | undefined
  overrideIds: readonly string[]
}

export interface ControllerPlan {
  deviceId: string
  name: string
  releases: readonly PlannedRelease[]
  /** Overrides that the controller has and does not list. */
  leftOut: number
}

export interface SitePlan {
  /** Controllers that answer and have overrides. */
  controllers: readonly ControllerPlan[]
  /** Controllers that do not answer: nothing on them can be released now. */
  unreachable: readonly string[]
}

/** Plans the release of every override at a site. */
export function planRelease(devices: readonly DeviceOverview[]): SitePlan {
  return {
    controllers: devices.filter(isLive).flatMap((seen) => planOf(seen) ?? []),
    unreachable: devices.filter((seen) => !isLive(seen)).map(({ device }) => device.name),
  }
}

function planOf({ device, view, systems }: DeviceOverview): ControllerPlan | undefined {
  const live = view?.device
  if (!live || live.overrides.length === 0) return undefined
  const labels = labelsOf(systems ?? [])
  const byDatapoint = Map.groupBy(live.overrides, ({ datapointId }) => datapointId)
  const releases = Array.from(byDatapoint, ([datapointId, overrides]) => ({
    datapointId,
    name: labels.get(datapointId)?.name,
    unit: labels.get(datapointId)?.unit,
    value: overrides.find(({ state }) => state === 'active')?.value,
    overrideIds: inOrder(overrides),
  }))
  return { deviceId: device.id, name: device.name, releases, leftOut: live.overridesLeftOut ?? 0 }
}

/** The active one last: otherwise the equipment would move to the value of another one in between. */
const inOrder = (overrides: readonly NamedOverride[]): string[] =>
  overrides
    .toSorted((a, b) => Number(a.state === 'active') - Number(b.state === 'active'))
    .flatMap(({ id }) => id ?? [])
