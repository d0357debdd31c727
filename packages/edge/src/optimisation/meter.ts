import type { Clock } from '@plantroom/base/clock'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Connections } from '../connections/connections.ts'

/** Reads a datapoint as a meter. */
export interface Meter {
  /** Returns `undefined` when the datapoint is unreadable or its link is down. */
  read(datapointId: string): MeterReading | undefined
}

export interface MeterReading {
  value: number
  ageMs: number
}

/** Serves the live values in memory as meter readings. Ages are monotonic: a step of the clock makes no reading old or new. */
export function createLiveMeter(connections: Connections, clock: Clock): Meter {
  const seen = new Map<string, { timestamp: string; at: number }>()
  return {
    read(datapointId) {
      const place = connections.find(datapointId)
      if (place?.connection.status() !== CONNECTION_STATUS.connected) return undefined
      const { value, timestamp } = place.connection.current(datapointId)
      if (value === null) return undefined
      const monotonic = clock.monotonic()
      const known = seen.get(datapointId)
      if (known?.timestamp === timestamp) return { value, ageMs: monotonic - known.at }
      const ageMs = Math.max(0, clock.now() - Date.parse(timestamp))
      seen.set(datapointId, { timestamp, at: monotonic - ageMs })
      return { value, ageMs }
    },
  }
}
