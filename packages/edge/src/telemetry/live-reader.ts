import type { Consumption, Datapoint } from '@plantroom/contract/datapoint'
import type { DatapointValue } from '@plantroom/contract/values'
import type { TimedValue } from './interval.ts'

/** A commissioned datapoint and its live value. */
export interface LiveDatapoint {
  datapoint: Datapoint
  /** IANA name of the site's time zone. */
  timeZone: string
  /** How its energy is computed; `undefined` when it is not. */
  consumption: Consumption | undefined
  /** How often its connection is polled. */
  pollSeconds: number
  /** Returns the entry that `getTechnicalConnectionValues` shows now. */
  current(): DatapointValue
  /** True while its link is connected. Otherwise the value is the last known value. */
  readonly live: boolean
}

export interface LiveReader {
  /** Yields every commissioned datapoint. Callers keep them until commissioning changes. */
  datapoints(): Iterable<LiveDatapoint>
  /** Calls the watcher with every value that a poll brings; `null` when it is unknown. Returns how to end that. */
  watch(watcher: (datapointId: string, value: TimedValue) => void): () => void
}
