import type { DatapointValue } from './values.ts'

/** What a datapoint showed in one interval. */
export interface IntervalValues {
  /** The length of the interval. */
  seconds: number
  /** Weighted by time. */
  mean: number
  min: number
  max: number
  /** For how much of the interval the value was known: 1 to 100 percent. */
  coverage: number
  /** What flowed while the value was known, where `analyticsCalculateConsumption` is set. Negative when it flowed back. */
  energyKwh?: number
}

/**
 * One archived value of a datapoint, at the end of an interval of its `analyticsInterval`. `value` is the last one of
 * the interval. Older controllers send only that: a sample.
 */
export interface Measurement extends Partial<IntervalValues> {
  datapointId: string
  /** Milliseconds since 1970. */
  at: number
  value: number
}

/** Measurements that a device dropped because its disk space for them ran out. */
export interface MeasurementGap {
  /** Time of the first and the last measurement dropped, in milliseconds since 1970. */
  from: number
  to: number
  dropped: number
}

/** Measurements in order, confirmed together. The device repeats a batch until it is confirmed; the cloud stores it once. */
export interface MeasurementBatch {
  /** Names the batch in its confirmation. */
  upTo: number
  measurements: readonly Measurement[]
  gaps: readonly MeasurementGap[]
}

/** Live values that a device pushes every `broadcastInterval`, by datapoint id. Neither confirmed nor stored. */
export interface Broadcast {
  values: Record<string, DatapointValue>
}
