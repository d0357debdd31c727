import type { Clock } from '@plantroom/base/clock'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import type { Connection } from '@plantroom/contract/datapoint'
import { endpointOf } from '@plantroom/contract/endpoint'
import type { Protocols } from './commissioning-file.ts'
import { type ProbedConnection, probeConnection } from './probe-connection.ts'
import { toConnections } from './to-connection.ts'

/** Time limit for one connection, from opening it to the last answer. */
const LIMIT_MS = 15_000

/**
 * Opens each connection and reads each datapoint, the connections to one endpoint one after the other. Writes nothing.
 * Never rejects, and takes at most 15 seconds per connection; calls `done` after each.
 */
export async function probe(
  file: CommissioningFile,
  deps: { protocols: Protocols; clock: Clock; done?: (connection: ProbedConnection) => void },
): Promise<ProbedConnection[]> {
  const { done = () => {} } = deps
  const probed = new Map<string, ProbedConnection>()
  const connections = toConnections(file)

  async function probeInSequence(group: readonly Connection[]): Promise<void> {
    for (const connection of group) {
      const result = await probeConnection(connection, { ...deps, limitMs: LIMIT_MS })
      probed.set(connection.id, result)
      done(result)
    }
  }

  const groups = Map.groupBy(connections, endpointOf)
  await Promise.all(Array.from(groups.values(), probeInSequence))
  return connections.flatMap(({ id }) => probed.get(id) ?? [])
}
