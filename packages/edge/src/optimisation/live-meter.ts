import type { Clock } from '@plantroom/base/clock'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Connections } from '../connections/connections.ts'
import type { Meter } from './claim-sink.ts'

/** Any datapoint as a meter, from memory. */
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
