import type { PowerLimitSettings, TechnicalSystem } from '@plantroom/contract/datapoint'
import { WEEKDAYS } from '@plantroom/contract/datapoint'
import type { Direction } from '@plantroom/contract/power-limit'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import type { Point } from '../../device-parts.ts'
import { createOverrideModel, type OverrideModel } from '../../overrides/testing/override-model.ts'
import type { Controller } from '../../testing/controller.ts'

/** The loads of a site, with what each is at while nobody holds it. */
export interface PlantLoads {
  modulating: readonly { minKw: number; maxKw: number; plainKw: number }[]
  switching: readonly { ratedKw: number; plain: number; minOffSeconds: number }[]
}

interface ModelLimit {
  reqId: string
  direction: Direction
  kw: number
  averagingSeconds: 0 | 900
  from: number
  to: number
  /** Once started: the monotonic time at which it ends at the latest. */
  until?: number
  id: string
  /** The controller has had the time to see it in force. */
  wasSeen: boolean
  isOver: boolean
}

/** A plain list of limits, overrides and schedules, and the plant around the controller. */
export interface LimitsWorld {
  loads: PlantLoads
  baseKw: number
  /** What the meter shows whatever flows; `undefined` while it is right. */
  frozenAt: number | undefined
  isMeterLost: boolean
  limits: ModelLimit[]
  overrides: OverrideModel
  schedule: Map<string, number>
  /** The monotonic time at which a limit of the import was last in force. */
  lastLimited: number
  /** The clock was set back, so that a time came twice. */
  wasSetBack: boolean
  diesAt?: Point
}

export const GUARANTEED_KW = 4

export function aLimitsWorld(loads: PlantLoads): LimitsWorld {
  return {
    loads,
    ...{ baseKw: 10, frozenAt: undefined, isMeterLost: false, limits: [], overrides: createOverrideModel() },
    ...{ schedule: new Map(), lastLimited: Number.NEGATIVE_INFINITY, wasSetBack: false },
  }
}

export const modulatingId = (index: number) => `m${index}`
export const switchingId = (index: number) => `s${index}`
export const loadIds = ({ loads }: LimitsWorld) => [
  ...loads.modulating.map((_, index) => modulatingId(index)),
  ...loads.switching.map((_, index) => switchingId(index)),
]

/** Returns the initial value of every point. */
export function pointsOf({ loads }: LimitsWorld): Record<string, number> {
  return {
    meter: 0,
    ...Object.fromEntries(loads.modulating.map(({ plainKw }, index) => [modulatingId(index), plainKw])),
    ...Object.fromEntries(loads.switching.map(({ plain }, index) => [switchingId(index), plain])),
  }
}

/** Returns the system to commission for this world. */
export function systemOf(world: LimitsWorld): TechnicalSystem & { powerLimit: PowerLimitSettings } {
  const { modulating, switching } = world.loads
  const powerLimit: PowerLimitSettings = {
    ...{ meterId: 'meter', meterKwPerUnit: 1, guaranteedKw: GUARANTEED_KW },
    loads: [
      ...modulating.map(({ minKw, maxKw }, index) => ({
        ...{ datapointId: modulatingId(index), kind: 'modulating' as const, priority: index + 1, minKw, maxKw },
        kwPerUnit: 1,
      })),
      ...switching.map(({ ratedKw, minOffSeconds }, index) => ({
        ...{ datapointId: switchingId(index), kind: 'switching' as const, priority: index + 1, shedValue: 0, ratedKw },
        ...{ minOnSeconds: 0, minOffSeconds },
      })),
    ],
  }
  const writable = loadIds(world).map((id) => aDatapoint({ id, accessType: 'READ_WRITE' }))
  const schedules = [...world.schedule].map(([datapointId, value]) => ({
    ...{ id: datapointId, name: datapointId, datapointId },
    slots: [{ days: [...WEEKDAYS], from: '00:00', to: '24:00', mode: 'absolute' as const, value }],
  }))
  return {
    ...aSystem('sys', [aConnection({ datapoints: [aDatapoint({ id: 'meter' }), ...writable] })]),
    powerLimit,
    schedules,
  }
}

export const timeOf = ({ clock }: Controller) => ({ wall: clock.now(), monotonic: clock.monotonic() })

/** Starts and ends limits and overrides by the time. */
export function look(world: LimitsWorld, { wall, monotonic }: ReturnType<typeof timeOf>): void {
  world.overrides.look({ wall, monotonic })
  for (const limit of world.limits) {
    if (limit.isOver || (limit.until === undefined && wall < limit.from)) continue
    if (limit.direction === 'import') world.lastLimited = monotonic
    limit.until ??= monotonic + (limit.to - wall)
    limit.isOver = wall >= limit.to || monotonic >= limit.until
  }
}

/** Recomputes how long each limit and override may still run, as a start does. */
export function restarted(world: LimitsWorld, now: ReturnType<typeof timeOf>): void {
  world.overrides.restarted(now)
  for (const limit of world.limits) delete limit.until
  look(world, now)
}

export const inForce = ({ limits }: LimitsWorld, direction: Direction) =>
  limits.filter((limit) => limit.direction === direction && !limit.isOver && limit.until !== undefined)

/** What a load has while no limit bounds it. */
export function wantedOf(world: LimitsWorld, id: string): number {
  const index = Number(id.slice(1))
  const { modulating, switching } = world.loads
  const plain = id.startsWith('m') ? modulating[index]?.plainKw : switching[index]?.plain
  return world.overrides.active(id)?.value ?? world.schedule.get(id) ?? plain ?? 0
}

/** The power of the site, with `changed` where a load is about to change. Import is positive. */
export function siteKw(world: LimitsWorld, { equipment }: Controller, changed: Readonly<Record<string, number>> = {}) {
  const at = (id: string) => changed[id] ?? Number(equipment.points.get(id))
  const moved = world.loads.modulating.reduce((sum, _, index) => sum + at(modulatingId(index)), 0)
  const switched = world.loads.switching.reduce((sum, { ratedKw }, index) => {
    return sum + (at(switchingId(index)) === 0 ? 0 : ratedKw)
  }, 0)
  return world.baseKw + moved + switched
}
