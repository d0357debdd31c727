import { DEFAULT_LIMIT } from '@plantroom/contract/commands'
import type { Datapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { Connection } from '../connections/connection.ts'
import type { Connections } from '../connections/connections.ts'
import type { CommandHandler } from './command.ts'

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

/** `getTechnicalConnectionValues`: answers from memory, without reading equipment or disk. */
export function getTechnicalConnectionValues(connections: Connections): CommandHandler {
  return ({ id }) => requireConnection(connections, id).values()
}

function requireConnection(connections: Connections, id: unknown): Connection {
  const connection = connections.get(String(id))
  if (!connection) throw new Failure('rejected', `connection ${shown(String(id))} is not loaded on this device`)
  return connection
}

/** Leaves out `releaseValue`, which only this device and its installer use. */
function asInContract({ releaseValue: _, ...datapoint }: Datapoint): Omit<Datapoint, 'releaseValue'> {
  return datapoint
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
