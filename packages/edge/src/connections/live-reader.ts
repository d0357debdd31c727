import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { LiveReader } from '../telemetry/live-reader.ts'
import { pollSeconds } from './connection-loop.ts'
import type { Connections } from './connections.ts'

/** Gives telemetry access to the live value of each datapoint. */
export function createLiveReader(connections: Connections): LiveReader {
  return {
    *datapoints() {
      for (const { datapoint, timeZone, consumption, connection: first } of connections.all()) {
        // Looked up each time: its connection may have been restarted.
        const connection = () => connections.find(datapoint.id)?.connection
        yield {
          datapoint,
          timeZone,
          consumption,
          pollSeconds: pollSeconds(first.config),
          current: () => connection()?.current(datapoint.id) ?? NOT_FOUND,
          get live() {
            return connection()?.status() === CONNECTION_STATUS.connected
          },
        }
      }
    },
    watch: connections.watchValues,
  }
}

const NOT_FOUND = { value: null, timestamp: new Date(0).toISOString() }
