import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { reportEachMinute } from '../../platform/routes/index.ts'
import { DAY_MS } from './block-store.ts'
import type { CommissionedStore } from './commissioned-store.ts'
import type { DeviceBatch } from './measurement-store.ts'

/**
 * The controller may use a new datapoint before the change that commissions it is committed. So the first batch with an
 * unknown one is not confirmed; the controller repeats it after 10 s.
 */
const GRACE_MS = 8_000
const FORGET_MS = 600_000
const MOST_DOUBTED = 50_000
const RETENTION_MS = 60_000
/** Without a retention. No controller keeps values for so long. */
const LONGEST_DAYS = 3_660

/** Why a measurement is refused: the device has no such datapoint, or the organization does not keep values this old. */
export type RefusedReason = 'unknown-datapoint' | 'too-old'

/** Drops measurements that must not be stored. They count as confirmed: sending them again would not help. */
export interface MeasurementCheck {
  check(batches: readonly DeviceBatch[]): Promise<DeviceBatch[]>
  readonly refused: Readonly<Record<RefusedReason, number>>
}

export function createMeasurementCheck(deps: {
  store: CommissionedStore
  findDevice(deviceId: string): { organizationId: string } | undefined
  clock: Clock
  log: Log
}): MeasurementCheck {
  const { store, findDevice, clock, log } = deps
  const refused = { 'unknown-datapoint': 0, 'too-old': 0 }
  const report = reportEachMinute(clock.monotonic, (device) =>
    log.warn(
      { device, refused },
      'refused measurements of datapoints that a controller does not have, or too old ones',
    ),
  )
  /** When each device first sent an unknown datapoint. */
  const doubted = new Map<string, number>()
  let retention = { at: Number.NEGATIVE_INFINITY, days: new Map<string, number>() }

  /** Returns whether this device has had its time for a datapoint to be commissioned. */
  function isCertain(deviceId: string): boolean {
    const now = clock.monotonic()
    const since = doubted.get(deviceId)
    if (since === undefined || now - since > FORGET_MS) {
      if (doubted.size >= MOST_DOUBTED) doubted.clear()
      doubted.set(deviceId, now)
      return false
    }
    return now - since >= GRACE_MS
  }

  async function earliestOf(deviceId: string): Promise<number> {
    const now = clock.monotonic()
    if (now - retention.at >= RETENTION_MS) retention = { at: now, days: await store.retentionDays() }
    const days = retention.days.get(findDevice(deviceId)?.organizationId ?? '') ?? LONGEST_DAYS
    return clock.now() - (days + 1) * DAY_MS
  }

  return {
    async check(batches) {
      const known = await store.known(batches)
      const checked: DeviceBatch[] = []
      for (const { deviceId, items } of batches) {
        const datapoints = known.get(deviceId) ?? new Set()
        const earliest = await earliestOf(deviceId)
        const recent = items.measurements.filter(({ at }) => at >= earliest)
        const measurements = recent.filter(({ datapointId }) => datapoints.has(datapointId))
        const unknown = recent.length - measurements.length
        if (unknown > 0 && !isCertain(deviceId)) throw new Error('it has datapoints that are not commissioned yet')
        refused['too-old'] += items.measurements.length - recent.length
        refused['unknown-datapoint'] += unknown
        if (measurements.length < items.measurements.length) report(deviceId)
        checked.push({ deviceId, items: { measurements, gaps: items.gaps.filter(({ to }) => to >= earliest) } })
      }
      return checked
    },
    refused,
  }
}
