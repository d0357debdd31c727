import type { DatapointValue } from './values.ts'

/** One archived value of a datapoint, at a whole multiple of its `analyticsInterval`. */
export interface Measurement {
  datapointId: string
  /** Milliseconds since 1970. */
  at: number
  value: number
}

/** Measurements that a device had to give up because its disk space for them ran out. */
export interface MeasurementGap {
  /** Of the measurements that were dropped, the first and the last time. Milliseconds since 1970. */
  from: number
  to: number
  dropped: number
}

/** What a device sends: measurements in order, confirmed together. Sent again until it is; stored once. */
export interface MeasurementBatch {
  /** Names the batch in its confirmation. */
  upTo: number
  measurements: readonly Measurement[]
  gaps: readonly MeasurementGap[]
}

/** Live values that a device pushes unprompted, by datapoint id, per `broadcastInterval`. Never confirmed, never kept. */
export interface Broadcast {
  values: Record<string, DatapointValue>
}
