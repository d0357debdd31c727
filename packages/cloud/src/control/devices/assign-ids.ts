import { derivedId } from '@plantroom/base/ids'
import {
  type CommissionedConnection,
  type CommissionedDatapoint,
  type CommissioningFile,
  type MatchedItem,
  matchConnections,
  matchDatapoints,
} from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'

/** The ids of the connections and datapoints of a file. */
export interface AssignedIds {
  ofConnection(connection: CommissionedConnection): string
  ofDatapoint(datapoint: CommissionedDatapoint): string
  /** What the file renames, and what it adds to a system that exists. What kept its name is not listed. */
  matched: MatchedItem[]
}

/**
 * Gives every connection and datapoint of a file its id. What is commissioned already keeps its id: by its name, or, when
 * it was renamed, by its settings or its address. New ids derive from names, so the same file gets the same ids even after
 * an attempt that failed halfway. Pure.
 */
export function assignIds(
  file: CommissioningFile,
  { deviceId, before }: { deviceId: string; before: TechnicalSystem | undefined },
): AssignedIds {
  const old = before?.connections ?? []
  const taken = new Set(old.flatMap(({ id, datapoints }) => [id, ...datapoints.map((datapoint) => datapoint.id)]))
  const ids = new Map<CommissionedConnection | CommissionedDatapoint, string>()
  const matched: MatchedItem[] = []

  /** A renamed item keeps the id of its first name, which another item may get later. */
  function newId(prefix: string, ...names: readonly string[]): string {
    const parts = [deviceId, file.technicalSystem, ...names]
    let id = derivedId(prefix, ...parts)
    for (let count = 2; taken.has(id); count += 1) id = derivedId(prefix, ...parts, String(count))
    taken.add(id)
    return id
  }

  const connections = matchConnections(old, file.connections)
  for (const [c, connection] of file.connections.entries()) {
    const path = `connections[${c}]`
    const found = connections.get(connection)
    const connectionId = found?.was.id ?? newId('con', connection.name)
    ids.set(connection, connectionId)
    if (!found) matched.push({ path, id: connectionId, by: 'new' })
    else if (found.by !== 'name') matched.push({ path, id: connectionId, by: found.by, was: found.was.name })
    const datapoints = matchDatapoints(found?.was.datapoints ?? [], connection.datapoints)
    for (const [d, datapoint] of connection.datapoints.entries()) {
      const point = datapoints.get(datapoint)
      const id = point?.was.id ?? newId('dp', connection.name, datapoint.name)
      ids.set(datapoint, id)
      const at = `${path}.datapoints[${d}]`
      // All datapoints of a new connection are new.
      if (!point && found) matched.push({ path: at, id, by: 'new' })
      else if (point && point.by !== 'name') matched.push({ path: at, id, by: point.by, was: point.was.name })
    }
  }

  function idOf(item: CommissionedConnection | CommissionedDatapoint): string {
    const id = ids.get(item)
    if (id === undefined) throw new Error(`the file has no "${item.name}"`)
    return id
  }
  return { ofConnection: idOf, ofDatapoint: idOf, matched: before ? matched : [] }
}
