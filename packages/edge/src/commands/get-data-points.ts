import { DEFAULT_LIMIT } from '@plantroom/contract/commands'
import type { Datapoint } from '@plantroom/contract/datapoint'
import type { Connections } from '../connections/connections.ts'
import type { CommandHandler } from './command.ts'
import { requireConnection } from './require-connection.ts'

/** `getTechnicalDataPoints`: returns one page of the datapoints of a connection, in a stable order. */
export function getTechnicalDataPoints(connections: Connections): CommandHandler {
  return ({ connectionId, limit = DEFAULT_LIMIT, offset = 0 }) => {
    const { datapoints } = requireConnection(connections, connectionId).config
    const sorted = datapoints.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id))
    const first = Number(offset)
    const page = sorted.slice(first, first + Number(limit))
    return JSON.stringify({ count: sorted.length, datapoints: page.map(asInContract) })
  }
}

/** The fields that the contract knows: `releaseValue` is for this device and its installer. */
function asInContract({ releaseValue: _, ...datapoint }: Datapoint): Omit<Datapoint, 'releaseValue'> {
  return datapoint
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
