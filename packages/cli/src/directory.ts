import type { Client } from '@plantroom/client/client'
import { collectItems } from '@plantroom/client/pages'
import type { Connection, TechnicalSystem } from '@plantroom/contract/datapoint'
import { UsageError } from './command.ts'
import type { CliConfig } from './config.ts'
import type { DemoFile } from './demo/demo-file.ts'

/** Resolves names of datapoints and technical systems. */
export interface Directory {
  /** Loads the names on these devices, or on all devices of the organization. Does nothing without the admin token. */
  learn(deviceIds?: Iterable<string>): Promise<void>
  /** Resolves an id or a name. Unknown text is returned as an id, which may belong to something removed. */
  datapointId(given: string): string
  systemId(given: string): string
  datapointNames(): ReadonlyMap<string, string>
}

interface Named {
  id: string
  name: string
  where: string
}

export function createDirectory(deps: {
  /** A client with the admin token. */
  operator: Pick<Client, 'listDevices' | 'listTechnicalSystems'> | undefined
  orgId: string
  /** Connections whose names are already known. */
  connections: readonly Pick<Connection, 'name' | 'datapoints'>[]
}): Directory {
  const { operator, orgId } = deps
  const learned = new Set<string>()
  const systems: Named[] = []
  const datapoints: Named[] = deps.connections.flatMap(datapointsOn)

  function add(system: TechnicalSystem, deviceId: string): void {
    systems.push({ id: system.id, name: system.name, where: `device ${deviceId}` })
    for (const point of system.connections.flatMap(datapointsOn)) datapoints.push(point)
  }

  return {
    async learn(deviceIds) {
      if (!operator) return
      for (const id of deviceIds ?? (await listDevices(operator, orgId)).map((device) => device.id)) {
        if (learned.has(id)) continue
        learned.add(id)
        // Names are optional: a device removed in the meantime has none, and its reports are shown with ids.
        const { technicalSystems } = await operator
          .listTechnicalSystems({ orgId, deviceId: id })
          .catch(() => ({ technicalSystems: [] }))
        for (const system of technicalSystems) add(system, id)
      }
    },
    datapointId: (given) => choose(datapoints, given, ({ where }) => where)?.id ?? given,
    systemId: (given) => choose(systems, given, ({ where }) => where)?.id ?? given,
    datapointNames: () => new Map(datapoints.map(({ id, name }) => [id, name])),
  }
}

/** Lists all devices of an organization. */
export const listDevices = (client: Pick<Client, 'listDevices'>, orgId: string) =>
  collectItems(
    (cursor) => client.listDevices({ orgId, query: { cursor } }),
    ({ devices }) => devices,
  )

function datapointsOn(connection: Pick<Connection, 'name' | 'datapoints'>): Named[] {
  return connection.datapoints.map(({ id, name }) => ({ id, name, where: connection.name }))
}

/**
 * Finds an item by id or name; undefined if there is none. A name of several items is a `UsageError` that lists `where`
 * each one is.
 */
export function choose<Item extends { id: string; name: string }>(
  items: readonly Item[],
  given: string,
  where: (item: Item) => string,
): Item | undefined {
  const byId = items.find(({ id }) => id === given)
  if (byId) return byId
  const named = [...new Map(items.filter(({ name }) => name === given).map((item) => [item.id, item])).values()]
  if (named.length > 1) {
    const all = named.map((item) => `${item.id} (${where(item)})`).join(', ')
    throw new UsageError(`${named.length} are named ${given}; give one of the ids: ${all}`)
  }
  return named[0]
}

/** Returns the connections of the demo, if the command is about its device. */
export function knownConnections({ demo, deviceId }: CliConfig): DemoFile['connections'] {
  return demo?.deviceId === deviceId ? (demo?.connections ?? []) : []
}

/** Resolves the id of a connection, or its name in the demo. An unknown text is taken for an id. */
export function connectionOf(config: CliConfig, given: string): { id: string; name: string } {
  return choose(knownConnections(config), given, ({ endpoint }) => endpoint) ?? { id: given, name: given }
}
