import type { Connections } from '../connections/connections.ts'
import type { CommandHandler } from './command.ts'
import { requireConnection } from './require-connection.ts'

/** `getTechnicalConnectionValues`: answers from memory, without a read of equipment or disk. */
export function getTechnicalConnectionValues(connections: Connections): CommandHandler {
  return ({ id }) => requireConnection(connections, id).values()
}
