import type { Measurement, MeasurementBatch, MeasurementGap } from '@plantroom/contract/telemetry'
import type { Judged } from '../broker/intake.ts'
import { isStorable } from '../db/storable.ts'

/** Before this, no device of ours measured anything: its clock was not set. */
const EARLIEST = Date.UTC(2000, 0, 1)
/** How far the clock of a device may be ahead of ours. */
const AHEAD_MS = 86_400_000

export type KeptMeasurements = Pick<MeasurementBatch, 'measurements' | 'gaps'>

/**
 * Takes a batch apart as data from outside. What is not right is left out, with the reason: also what is of a time that
 * cannot be, for every month takes a partition. `undefined` when it is no batch.
 */
export function judgeMeasurements(batch: unknown, now: number): Judged<KeptMeasurements> | undefined {
  const { upTo, measurements, gaps } = (batch ?? {}) as Partial<Record<keyof MeasurementBatch, unknown>>
  if (!isCount(upTo) || !Array.isArray(measurements) || !Array.isArray(gaps)) return undefined
  const isTime = (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= EARLIEST && (value as number) <= now + AHEAD_MS

  const leftOut: string[] = []
  const pick = <Item>(
    what: string,
    items: readonly unknown[],
    problemOf: (item: Partial<Item>) => string | undefined,
  ) =>
    items.filter((item, index): item is Item => {
      const problem = typeof item === 'object' && item ? problemOf(item) : 'it is no object'
      if (problem !== undefined) leftOut.push(`${what}[${index}]: ${problem}`)
      return problem === undefined
    })

  const kept = {
    measurements: pick<Measurement>('measurements', measurements, ({ datapointId, at, value }) => {
      if (!isStorable(datapointId)) return 'datapointId is not right'
      if (!isTime(at)) return 'at is not a time that can be'
      return Number.isFinite(value) ? undefined : 'value is not a finite number'
    }),
    gaps: pick<MeasurementGap>('gaps', gaps, ({ from, to, dropped }) => {
      if (!isTime(from) || !isTime(to)) return 'from or to is not a time that can be'
      return from <= to && isCount(dropped) ? undefined : 'from, to and dropped make no gap'
    }),
  }
  return { kept, upTo, leftOut }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
