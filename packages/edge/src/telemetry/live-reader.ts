import type { Datapoint } from '@plantroom/contract/datapoint'
import type { DatapointValue } from '@plantroom/contract/values'

/** A commissioned datapoint and its live value. */
export interface LiveDatapoint {
  datapoint: Datapoint
  /** Returns the entry that `getTechnicalConnectionValues` shows now. */
  current(): DatapointValue
  /** True while its link is connected. Otherwise the value is the last known value. */
  readonly live: boolean
}

export interface LiveReader {
  /** Yields every commissioned datapoint. Callers keep them until commissioning changes. */
  datapoints(): Iterable<LiveDatapoint>
}
