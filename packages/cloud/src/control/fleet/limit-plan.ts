import { hash } from 'node:crypto'
import { Failure } from '@plantroom/contract/failure'
import { MAX_TARGETS } from '@plantroom/contract/fleet'
import type { LimitRequest } from '@plantroom/contract/fleet-limit'
import type { Direction } from '@plantroom/contract/power-limit'
import { shown } from '@plantroom/contract/shown'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { LimitedMeter } from './meter-store.ts'
import { type PlannedTarget, type Window, windowOf } from './plan.ts'

/** When the deadline is missing, a total is split without controllers that are not there so long after the start. */
const SHARED_FOR_MS = 5 * 60_000

/** Checks a request, and returns its times and the share of each meter. Throws `invalid` with the field. Pure. */
export function planLimit(
  request: LimitRequest,
  meters: readonly LimitedMeter[],
  now: number,
): { window: Window; targets: PlannedTarget[] } {
  if (meters.length > MAX_TARGETS) {
    throw invalid('tags', `more than ${MAX_TARGETS} controllers are selected: split it into several limits`)
  }
  const window = windowOf(request, now, meters.length > 1 ? SHARED_FOR_MS : undefined)
  const { direction, kw } = request
  const rigid = direction === 'export' ? meters.find(({ exportKw }) => exportKw <= 0) : undefined
  if (rigid) {
    throw invalid(
      'direction',
      `the controller ${shown(rigid.deviceId)} has no load that can take up power, so it cannot limit the export: commission a modulating load, or leave it out`,
    )
  }
  const guaranteed = guaranteedKw(direction, meters)
  if (meters.length > 1 && kw < guaranteed) {
    throw invalid(
      'kw',
      `${kw} kW is less than the ${guaranteed} kW that are guaranteed to the ${meters.length} selected controllers: send at least that`,
    )
  }
  const shares = splitLimit(direction, kw, meters)
  const targets = meters.map(({ id, deviceId, siteId }, index) => ({
    ...{ deviceId, siteId, datapointId: id, from: window.from },
    value: shares[index] ?? 0,
  }))
  return { window, targets }
}

/** What a limit of the import must leave to these meters. An export needs nothing. */
export const guaranteedKw = (direction: Direction, meters: readonly LimitedMeter[]) =>
  direction === 'export' ? 0 : meters.reduce((sum, meter) => sum + meter.guaranteedKw, 0)

/**
 * Splits a limit over meters: each gets what is guaranteed to it, and of the rest in proportion to what its loads can move. The
 * shares are whole watts, rounded down, so that they never exceed the total; one meter gets all of it. Pure.
 */
export function splitLimit(direction: Direction, kw: number, meters: readonly LimitedMeter[]): number[] {
  if (meters.length === 1) return [kw]
  const movable = (meter: LimitedMeter) => (direction === 'export' ? meter.exportKw : meter.importKw)
  const total = meters.reduce((sum, meter) => sum + movable(meter), 0)
  const rest = Math.max(0, kw - guaranteedKw(direction, meters))
  return meters.map((meter) => {
    const part = total > 0 ? movable(meter) / total : 1 / meters.length
    // A fraction of a watt below a whole one is an error of floating point.
    const watts = Math.floor((guaranteedKw(direction, [meter]) + rest * part) * 1_000 + 1e-6)
    return watts / 1_000
  })
}

/** The same for the same request, however its times are written and in whichever order ids and tags are. Pure. */
export function limitHash(request: LimitRequest): string {
  const { siteId, deviceIds, tags, direction, kw, averagingSeconds, from, to, deadline, reason } = request
  const set = (items: readonly string[] | undefined) => (items ? [...new Set(items)].toSorted() : null)
  const times = [from, to, deadline].map((text) => (text === undefined ? null : parseTimestamp(text)))
  const parts = ['limit', siteId ?? null, set(deviceIds), set(tags), direction, kw, averagingSeconds, times, reason]
  return hash('sha256', JSON.stringify(parts))
}

const invalid = (field: string, message: string) => new Failure('invalid', message, field)
