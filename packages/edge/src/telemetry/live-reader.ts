import type { Datapoint } from '@plantroom/contract/datapoint'
import type { DatapointValue } from '@plantroom/contract/values'

/** A commissioned datapoint and its entry in memory. */
export interface LiveDatapoint {
  datapoint: Datapoint
  /** The entry as `getTechnicalConnectionValues` shows it at this moment. */
  current(): DatapointValue
  /** Is its link connected at this moment? Where it is not, the value is the last known. */
  readonly live: boolean
}

export interface LiveReader {
  /** Every commissioned datapoint. They are kept, and asked again and again, until commissioning changes. */
  datapoints(): Iterable<LiveDatapoint>
}
