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

/** Serves the live values in memory as meter readings. */
export function createLiveMeter(connections: Connections, clock: Clock): Meter {
  return {
    read(datapointId) {
      const place = connections.find(datapointId)
      if (place?.connection.status() !== CONNECTION_STATUS.connected) return undefined
      const { value, timestamp } = place.connection.current(datapointId)
      return value === null ? undefined : { value, ageMs: Math.max(0, clock.now() - Date.parse(timestamp)) }
    },
  }
}
