import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { Connection } from '../connections/connection.ts'
import type { Connections } from '../connections/connections.ts'

/** Returns a connection that is loaded on this device; throws a `Failure` `rejected` for any other id. */
export function requireConnection(connections: Connections, id: unknown): Connection {
  const connection = connections.get(String(id))
  if (!connection) throw new Failure('rejected', `connection ${shown(String(id))} is not loaded on this device`)
  return connection
}
