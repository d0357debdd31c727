import { DEFAULT_LIMIT } from '@plantroom/contract/commands'
import type { Connections } from '../connections/connections.ts'
import type { CommandHandler } from './command.ts'
import { requireConnection } from './require-connection.ts'

/** `getTechnicalDataPoints`: one page of what was commissioned on a connection, in a stable order. */
export function getTechnicalDataPoints(connections: Connections): CommandHandler {
  return ({ connectionId, limit = DEFAULT_LIMIT, offset = 0 }) => {
    const { datapoints } = requireConnection(connections, connectionId).config
    const sorted = datapoints.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id))
    const first = Number(offset)
    return JSON.stringify({ count: sorted.length, datapoints: sorted.slice(first, first + Number(limit)) })
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
