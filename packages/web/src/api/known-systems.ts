import type { LiveDevice } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { useEffect } from 'react'
import { invalidate } from './use-operation.ts'

interface Known {
  id: string
  /** `undefined` until they are loaded. */
  systems: readonly TechnicalSystem[] | undefined
  live: LiveDevice | undefined
}

/** Loads what is commissioned again when a controller mentions something unknown: it was commissioned meanwhile. */
export function useSystemsKeptUp(orgId: string, devices: readonly Known[]): void {
  const unknown = devices
    .map(({ id, systems, live }) => [id, ...(systems ? unknownIds(systems, live) : [])])
    .filter(({ length }) => length > 1)
    .map((ids) => ids.join(' '))
    .join('\n')
  // Once for the same ids: what stays unknown is no longer commissioned.
  useEffect(() => {
    for (const line of unknown.split('\n')) {
      const [deviceId = ''] = line.split(' ')
      if (deviceId !== '') void invalidate('listTechnicalSystems', { orgId, deviceId })
    }
  }, [orgId, unknown])
}

/** Returns the connections and datapoints that a controller mentions and `systems` lacks. */
export function unknownIds(systems: readonly TechnicalSystem[], live: LiveDevice | undefined): string[] {
  if (!live) return []
  const connections = systems.flatMap((system) => system.connections)
  const known = new Set(connections.flatMap(({ id, datapoints }) => [id, ...datapoints.map((each) => each.id)]))
  const mentioned = [
    ...live.connections.map(({ connectionId }) => connectionId),
    ...[...live.holds, ...live.overrides].map(({ datapointId }) => datapointId),
  ]
  return [...new Set(mentioned)].filter((id) => !known.has(id))
}
