import { Failure } from '@plantroom/contract/failure'
import type { Connection } from '../connections/connection.ts'
import type { Connections } from '../connections/connections.ts'

export function requireConnection(connections: Connections, id: unknown): Connection {
  const connection = connections.get(String(id))
  if (!connection) throw new Failure('rejected', `connection ${id} is not loaded on this device`)
  return connection
}
