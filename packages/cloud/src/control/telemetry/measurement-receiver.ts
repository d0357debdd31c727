import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { IntervalValues, Measurement, MeasurementBatch, MeasurementGap } from '@plantroom/contract/telemetry'
import {
  type BatchReceiver,
  createBatchReceiver,
  type DeviceBus,
  type Intake,
  type ReadBatch,
} from '../../platform/broker/index.ts'
import { isStorable } from '../../platform/db/storable-text.ts'
import type { MeasurementCheck } from './measurement-check.ts'
import type { MeasurementStore } from './measurement-store.ts'

/** An earlier time means that the clock of the device was not set. */
const EARLIEST = Date.UTC(2000, 0, 1)
/** How far the clock of a device may run ahead. */
const AHEAD_MS = 86_400_000

export interface MeasurementReceiverDeps {
  bus: Pick<DeviceBus, 'send'>
  store: Pick<MeasurementStore, 'addAll'>
  check: Pick<MeasurementCheck, 'check'>
  intake: Intake
  findDevice(deviceId: string): object | undefined
  clock: Clock
  log: Log
}

/** Stores each measurement once, and confirms it to its device. */
export function createMeasurementReceiver(deps: MeasurementReceiverDeps): BatchReceiver {
  const { bus, store, check, intake, findDevice, clock, log } = deps
  return createBatchReceiver({
    kind: 'measurements',
    bus,
    log,
    intake,
    read: (_deviceId, batch) => readMeasurementBatch(batch, clock.now()),
    async store(batches) {
      if (!batches.every(({ deviceId }) => findDevice(deviceId))) throw new Error('the device no longer exists')
      return store.addAll(await check.check(batches))
    },
  })
}

type MeasurementItems = Pick<MeasurementBatch, 'measurements' | 'gaps'>

/**
 * Validates a batch of measurements from a device. Rejects invalid items with the reason, including impossible times:
 * the clock of the device was not set. Returns `undefined` when the value is not a batch.
 */
export function readMeasurementBatch(batch: unknown, now: number): ReadBatch<MeasurementItems> | undefined {
  const { upTo, measurements, gaps } = (batch ?? {}) as Partial<Record<keyof MeasurementBatch, unknown>>
  if (!isCount(upTo) || !Array.isArray(measurements) || !Array.isArray(gaps)) return undefined
  const isTime = (value: unknown): value is number => isCount(value) && value >= EARLIEST && value <= now + AHEAD_MS

  const rejected: string[] = []
  const pickValid = <Item>(
    what: string,
    list: readonly unknown[],
    problemOf: (item: Partial<Item>) => string | undefined,
  ) =>
    list.filter((item, index): item is Item => {
      const problem = typeof item === 'object' && item ? problemOf(item) : 'not an object'
      if (problem !== undefined) rejected.push(`${what}[${index}]: ${problem}`)
      return problem === undefined
    })

  const items = {
    measurements: pickValid<Measurement>('measurements', measurements, ({ datapointId, at, value, ...interval }) => {
      if (!isStorable(datapointId)) return 'datapointId is invalid'
      if (!isTime(at)) return 'at is not a plausible time'
      return isNumber(value) ? problemOfInterval(value, interval) : 'value is not a finite number'
    }),
    gaps: pickValid<MeasurementGap>('gaps', gaps, ({ from, to, dropped }) => {
      if (!isTime(from) || !isTime(to)) return 'from or to is not a plausible time'
      return from <= to && isCount(dropped) ? undefined : 'from, to and dropped are not a gap'
    }),
  }
  return { items, rows: items.measurements.length + items.gaps.length, upTo, rejected }
}

/** A day on which the clock is set back, and more. */
const LONGEST_SECONDS = 27 * 3600

/** Checks what a controller saw of an interval. Older ones send nothing of it. */
function problemOfInterval(last: number, interval: Partial<IntervalValues>): string | undefined {
  const { seconds, mean, min, max, coverage, energyKwh } = interval
  if ([seconds, mean, min, max, coverage].every((each) => each === undefined)) return undefined
  if (!isCount(seconds) || seconds < 1 || seconds > LONGEST_SECONDS) return 'seconds is not the length of an interval'
  if (!isNumber(mean) || !isNumber(min) || !isNumber(max)) return 'mean, min or max is not a finite number'
  if (!(min <= mean && mean <= max && min <= last && last <= max)) return 'min and max do not enclose mean and value'
  if (!isCount(coverage) || coverage < 1 || coverage > 100) return 'coverage is not a whole number from 1 to 100'
  return energyKwh === undefined || isNumber(energyKwh) ? undefined : 'energyKwh is not a finite number'
}

const isNumber = (value: unknown): value is number => Number.isFinite(value)

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
