import type { AdminClient } from '@plantroom/client/admin'
import type { Connection, TechnicalSystem } from '@plantroom/contract/datapoint'
import { UsageError } from './command.ts'
import type { CliConfig } from './config.ts'
import type { DemoFile } from './demo/demo-file.ts'

/** What people call datapoints and technical systems, as far as it could be learned. */
export interface Directory {
  /** Learns the names on these devices, or on all of the organization. Without the operator's token it cannot. */
  learn(deviceIds?: Iterable<string>): Promise<void>
  /** The id of what is meant by an id or a name. What is not known is taken for an id: it may be of something removed. */
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
  admin: AdminClient | undefined
  orgId: string
  /** Those whose names are known from the start. */
  connections: readonly Pick<Connection, 'name' | 'datapoints'>[]
}): Directory {
  const { admin, orgId } = deps
  const learned = new Set<string>()
  const systems: Named[] = []
  const datapoints: Named[] = deps.connections.flatMap(datapointsOn)

  function add(system: TechnicalSystem, deviceId: string): void {
    systems.push({ id: system.id, name: system.name, where: `device ${deviceId}` })
    for (const point of system.connections.flatMap(datapointsOn)) datapoints.push(point)
  }

  return {
    async learn(deviceIds) {
      if (!admin) return
      for (const id of deviceIds ?? (await admin.devices(orgId)).map((device) => device.id)) {
        if (learned.has(id)) continue
        learned.add(id)
        // Names are a help: a device that was removed meanwhile has none, and its reports are shown all the same.
        const found = await admin.technicalSystems(orgId, id).catch(() => [])
        for (const system of found) add(system, id)
      }
    },
    datapointId: (given) => choose(datapoints, given, ({ where }) => where)?.id ?? given,
    systemId: (given) => choose(systems, given, ({ where }) => where)?.id ?? given,
    datapointNames: () => new Map(datapoints.map(({ id, name }) => [id, name])),
  }
}

function datapointsOn(connection: Pick<Connection, 'name' | 'datapoints'>): Named[] {
  return connection.datapoints.map(({ id, name }) => ({ id, name, where: connection.name }))
}

/**
 * What a person means by an id or a name; `undefined` where neither is known. A name of several is a `UsageError`, which
 * tells them apart by `where` they are.
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
    throw new UsageError(`${given} is the name of ${named.length}: give the id, one of ${all}`)
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
