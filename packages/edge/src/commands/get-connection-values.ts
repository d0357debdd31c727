import type { Connections } from '../connections/connections.ts'
import type { CommandHandler } from './command.ts'
import { requireConnection } from './require-connection.ts'

/** `getTechnicalConnectionValues`: from memory; neither equipment nor disk is touched. */
export function getTechnicalConnectionValues(connections: Connections): CommandHandler {
  return ({ id }) => requireConnection(connections, id).values()
}
