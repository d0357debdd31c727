import type { Datapoint } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { ConnectionStatus, DatapointValue } from '@plantroom/contract/values'

/** The last known values of one connection, kept as the JSON that a poll is answered with. */
export interface LiveValues {
  set(datapointId: string, value: DatapointValue): void
  /** The whole reply of `getTechnicalConnectionValues`, as JSON text. */
  snapshot(status: ConnectionStatus, error: string | null, now: number): string
}

export function createLiveValues(connectionId: string, datapoints: readonly Datapoint[], now: number): LiveValues {
  const fragments = new Map<string, string>()
  // Joined once per change, not once per poll.
  let joined: string | undefined

  function set(datapointId: string, value: DatapointValue): void {
    fragments.set(datapointId, `${JSON.stringify(datapointId)}:${JSON.stringify(value)}`)
    joined = undefined
  }

  for (const datapoint of datapoints) set(datapoint.id, firstValue(datapoint, now))

  return {
    set,
    snapshot(status, error, now) {
      joined ??= [...fragments.values()].join(',')
      const head = JSON.stringify({ connectionId, status, error, timestamp: formatTimestamp(now) })
      return `${head.slice(0, -1)},"values":{${joined}}}`
    },
  }
}

function firstValue(datapoint: Datapoint, now: number): DatapointValue {
  const unknown = { value: null, timestamp: formatTimestamp(now) }
  // What can only be written is never read: that it has no value yet is no error.
  return datapoint.accessType === 'WRITE' ? unknown : { ...unknown, error: 'not read yet' }
}
