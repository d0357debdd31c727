import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { LiveReader } from '../telemetry/live-reader.ts'
import type { Connections } from './connections.ts'

/** What telemetry sees of the connections: each datapoint where it stands at that moment. */
export function createLiveReader(connections: Connections): LiveReader {
  return {
    *datapoints() {
      for (const { datapoint } of connections.all()) {
        // Found again at every look: its connection may have been started anew.
        const connection = () => connections.find(datapoint.id)?.connection
        yield {
          datapoint,
          current: () => connection()?.current(datapoint.id) ?? NOT_THERE,
          get live() {
            return connection()?.status() === CONNECTION_STATUS.connected
          },
        }
      }
    },
  }
}

const NOT_THERE = { value: null, timestamp: new Date(0).toISOString() }
