import type { DatapointValue } from './values.ts'

/** One archived value of a datapoint, at a whole multiple of its `analyticsInterval`. */
export interface Measurement {
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
