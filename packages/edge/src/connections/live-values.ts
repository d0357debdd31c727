import { isDeepStrictEqual } from 'node:util'
import type { Datapoint } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { ConnectionStatus, ConnectionValues, DatapointValue } from '@plantroom/contract/values'
import type { HoldingWriter } from '@plantroom/contract/writers'
import { type JsonMember, type JsonText, jsonFields, jsonMember, jsonObject, toJson } from '../json-text.ts'

/** A datapoint's value as read from the equipment. */
export type LiveReading = Pick<DatapointValue, 'value' | 'timestamp' | 'error'>

/** What the live value shows about the hold on a datapoint. */
export interface ShownHold {
  lockedBy: HoldingWriter
  deviationActivated?: true
  deviationCachedValue?: number | string
}

/**
 * The last known values of one connection, kept as the JSON text that answers a poll. Controllers are polled far more
 * often than values change, so each entry is serialized once per change.
 */
export interface LiveValues {
  set(datapointId: string, reading: LiveReading): void
  /** Shows the hold with every later reading; `undefined` when no writer holds the datapoint any more. */
  show(datapointId: string, hold: ShownHold | undefined): void
  /** Returns one entry as a poll shows it. */
  current(datapointId: string): DatapointValue | undefined
  /** Returns the whole reply of `getTechnicalConnectionValues`. */
  snapshot(status: ConnectionStatus, error: string | null, now: number): JsonText<ConnectionValues>
}

interface Entry {
  reading: LiveReading
  hold: ShownHold | undefined
  /** Serialized on demand: equipment is read more often than the values are asked for. */
  json: JsonMember<DatapointValue> | undefined
}

export function createLiveValues(connectionId: string, datapoints: readonly Datapoint[], now: number): LiveValues {
  const entries = new Map<string, Entry>()
  const id = toJson(connectionId)
  // Joined once per change, not once per poll.
  let values: JsonText<ConnectionValues['values']> | undefined

  function put(datapointId: string, reading: LiveReading, hold: ShownHold | undefined): void {
    entries.set(datapointId, { reading, hold, json: undefined })
    values = undefined
  }

  for (const datapoint of datapoints) put(datapoint.id, firstReading(datapoint, now), undefined)

  function joinEntries(): JsonText<ConnectionValues['values']> {
    const members: JsonMember<DatapointValue>[] = []
    for (const [datapointId, entry] of entries) {
      entry.json ??= jsonMember(datapointId, toJson(merged(entry.reading, entry.hold)))
      members.push(entry.json)
    }
    return jsonObject(members)
  }

  return {
    set(datapointId, reading) {
      const entry = entries.get(datapointId)
      if (!entry) return put(datapointId, reading, undefined)
      entry.reading = reading
      entry.json = undefined
      values = undefined
    },
    show(datapointId, hold) {
      const entry = entries.get(datapointId)
      if (entry && !isDeepStrictEqual(entry.hold, hold)) put(datapointId, entry.reading, hold)
    },
    current(datapointId) {
      const entry = entries.get(datapointId)
      return entry && merged(entry.reading, entry.hold)
    },
    snapshot(status, error, now) {
      values ??= joinEntries()
      const timestamp = toJson(formatTimestamp(now))
      return jsonFields({ connectionId: id, status: toJson(status), error: toJson(error), timestamp, values })
    },
  }
}

function merged(reading: LiveReading, hold: ShownHold | undefined): DatapointValue {
  if (!hold) return reading
  const { value, timestamp, error } = reading
  const { lockedBy, deviationActivated, deviationCachedValue } = hold
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
  // A datapoint that can only be written is never read, so a missing value is not an error.
  return datapoint.accessType === 'WRITE' ? unknown : { ...unknown, error: 'not read yet' }
}
