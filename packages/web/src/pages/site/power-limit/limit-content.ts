import type { LiveDevice } from '@plantroom/contract/control-state'
import type { PowerLimitSettings, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { FleetLimit, LimitOutcome } from '@plantroom/contract/fleet-limit'
import { DIRECTIONS, type Direction, type LimitedLoad } from '@plantroom/contract/power-limit'
import { shownKw } from '../../../parts/describe-ceiling.ts'
import { shownValue } from '../../../parts/value.ts'
import { format } from '../../../texts/format.ts'
import { powerLimits as texts } from '../../../texts/power-limits.ts'
import { labelsOf } from '../held-datapoints.ts'
import type { DeviceOverview } from '../overview.ts'

/** A controller that keeps power limits, with what it does about them. */
export interface LimitedDevice<Seen extends Known = DeviceOverview> {
  seen: Seen
  settings: PowerLimitSettings
  /** `undefined` until the controller has reported it. */
  state: LiveDevice['powerLimit']
}

interface Known {
  systems: readonly TechnicalSystem[] | undefined
  view: { device: Pick<LiveDevice, 'powerLimit'> | undefined } | undefined
}

/** Lists the controllers with a commissioned power limit. */
export const limitedDevices = <Seen extends Known>(devices: readonly Seen[]): LimitedDevice<Seen>[] =>
  devices.flatMap((seen) => {
    const settings = seen.systems?.find(({ powerLimit }) => powerLimit)?.powerLimit
    return settings ? [{ seen, settings, state: seen.view?.device?.powerLimit }] : []
  })

/** A limit in force beside the mean of this quarter of an hour, in its direction. */
export interface LimitGauge {
  direction: Direction
  limitKw: number
  /** `undefined` while nothing was read. */
  meanKw: number | undefined
  /** How full it is, in percent. */
  percent: number
  isAbove: boolean
}

/** Returns the limits in force, each with the mean so far. Power in the other direction is none in this one. */
export function gaugesOf(state: NonNullable<LiveDevice['powerLimit']>): LimitGauge[] {
  const { meanKw: mean } = state
  return DIRECTIONS.flatMap((direction) => {
    const limitKw = direction === 'import' ? state.importKw : state.exportKw
    if (limitKw === null) return []
    const meanKw = mean === null ? undefined : Math.max(0, direction === 'import' ? mean : -mean)
    const isAbove = meanKw !== undefined && meanKw > limitKw
    const percent = isAbove ? 100 : limitKw > 0 ? ((meanKw ?? 0) / limitKw) * 100 : 0
    return [{ direction, limitKw, meanKw, percent, isAbove }]
  })
}

/** Describes what a limit does to each load, like `Boiler: at most 0 kW`. */
export function describeMoved({ seen, state }: LimitedDevice): string[] {
  const labels = labelsOf(seen.systems ?? [])
  return (state?.moved ?? []).map((load) => describeLoad(load, labels.get(load.datapointId)?.name ?? load.datapointId))
}

/** Describes what each load stores, or why that is not known. */
export function describeStored({ seen, state }: LimitedDevice): string[] {
  const labels = labelsOf(seen.systems ?? [])
  return (state?.stored ?? []).map(({ datapointId, chargePercent, supplyKwh, drawKwh, trouble }) => {
    const name = labels.get(datapointId)?.name ?? datapointId
    const percent = shownValue(chargePercent, '%')
    if (trouble) return format(texts.chargeTroubles[trouble], { name, percent })
    return format(texts.storedAt, {
      ...{ name, percent },
      ...{ supply: shownValue(tenths(supplyKwh), 'kWh'), draw: shownValue(tenths(drawKwh), 'kWh') },
    })
  })
}

const tenths = (kWh: number | null) => kWh && Math.round(kWh * 10) / 10

function describeLoad({ atMostKw, atLeastKw }: LimitedLoad, name: string): string {
  if (atMostKw !== undefined && atLeastKw !== undefined) {
    return format(texts.movedWithin, { name, least: shownKw(atLeastKw), most: shownKw(atMostKw) })
  }
  if (atLeastKw !== undefined) return format(texts.movedAtLeast, { name, least: shownKw(atLeastKw) })
  return atMostKw === undefined ? name : format(texts.movedAtMost, { name, most: shownKw(atMostKw) })
}

/** Reports whether a limit is a total over several controllers. */
export const isShared = ({ counts }: Pick<FleetLimit, 'counts'>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0) > 1

/** Returns the shares that count, without those that another one has replaced. */
export const countedShares = <Share extends Pick<LimitOutcome, 'isReplaced'>>(outcomes: readonly Share[]): Share[] =>
  outcomes.filter(({ isReplaced }) => !isReplaced)
