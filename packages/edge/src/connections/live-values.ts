import { isDeepStrictEqual } from 'node:util'
import type { Datapoint } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { ConnectionStatus, DatapointValue } from '@plantroom/contract/values'

/** What the equipment said of a datapoint. */
export type LiveReading = Pick<DatapointValue, 'value' | 'timestamp' | 'error'>

/** What is told of a datapoint that something holds, beside what the equipment says of it. */
export interface Shown {
  lockedBy: 'demand-response' | 'peak-shaving' | 'deviation'
  deviationActivated?: true
  deviationCachedValue?: number | string
}

/** The last known values of one connection, ready to be told as the JSON that a poll is answered with. */
export interface LiveValues {
  set(datapointId: string, reading: LiveReading): void
  /** From now on, whatever is read; `undefined`: nothing holds the datapoint any more. */
  show(datapointId: string, shown: Shown | undefined): void
  /** The entry as a poll is answered with it. */
  current(datapointId: string): DatapointValue | undefined
  /** The whole reply of `getTechnicalConnectionValues`, as JSON text. */
  snapshot(status: ConnectionStatus, error: string | null, now: number): string
}

interface Entry {
  reading: LiveReading
  shown: Shown | undefined
  /** Made when it is asked for: equipment is read more often than anybody looks. */
  fragment: string | undefined
}

export function createLiveValues(connectionId: string, datapoints: readonly Datapoint[], now: number): LiveValues {
  const entries = new Map<string, Entry>()
  // Joined once per change, not once per poll.
  let joined: string | undefined

  function put(datapointId: string, reading: LiveReading, shown: Shown | undefined): void {
    entries.set(datapointId, { reading, shown, fragment: undefined })
    joined = undefined
  }

  for (const datapoint of datapoints) put(datapoint.id, firstReading(datapoint, now), undefined)

  function joinAll(): string {
    const fragments: string[] = []
    for (const [datapointId, entry] of entries) {
      entry.fragment ??= `${JSON.stringify(datapointId)}:${JSON.stringify(merged(entry.reading, entry.shown))}`
      fragments.push(entry.fragment)
    }
    return fragments.join(',')
  }

  return {
    set(datapointId, reading) {
      const entry = entries.get(datapointId)
      if (!entry) return put(datapointId, reading, undefined)
      entry.reading = reading
      entry.fragment = undefined
      joined = undefined
    },
    show(datapointId, shown) {
      const entry = entries.get(datapointId)
      if (entry && !isDeepStrictEqual(entry.shown, shown)) put(datapointId, entry.reading, shown)
    },
    current(datapointId) {
      const entry = entries.get(datapointId)
      return entry && merged(entry.reading, entry.shown)
    },
    snapshot(status, error, now) {
      joined ??= joinAll()
      const head = JSON.stringify({ connectionId, status, error, timestamp: formatTimestamp(now) })
      return `${head.slice(0, -1)},"values":{${joined}}}`
    },
  }
}

function merged(reading: LiveReading, shown: Shown | undefined): DatapointValue {
  if (!shown) return reading
  const { value, timestamp, error } = reading
  const { lockedBy, deviationActivated, deviationCachedValue } = shown
  return {
    value,
    timestamp,
    ...(error !== undefined && { error }),
    locked: true,
    lockedBy,
    ...(deviationActivated && { deviationActivated }),
    ...(deviationCachedValue !== undefined && { deviationCachedValue }),
  }
}

function firstReading(datapoint: Datapoint, now: number): LiveReading {
  const unknown = { value: null, timestamp: formatTimestamp(now) }
  // What can only be written is never read: that it has no value yet is no error.
  return datapoint.accessType === 'WRITE' ? unknown : { ...unknown, error: 'not read yet' }
}
