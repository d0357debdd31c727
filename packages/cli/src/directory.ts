import type { Client } from '@plantroom/client/client'
import type { Connection, Limits, TechnicalSystem } from '@plantroom/contract/datapoint'
import { UsageError } from './command.ts'
import { choose, listDevices, type Named, resolveAmong, unknownName } from './names.ts'
import { printable } from './output.ts'

/** Knows what is commissioned on devices: names, units and limits. Asks for each device once. */
export interface Directory {
  /**
   * Loads what is commissioned on these devices, or on all devices of the organization. With an API key, all devices are
   * those that were asked for before: it cannot list others.
   */
  learn(deviceIds?: Iterable<string>): Promise<void>
  /** Resolves an id or a name. What looks like an id may belong to something removed. */
  datapointId(given: string): string
  systemId(given: string): string
  /** Returns one connection by id or name, or all of them. */
  connections(given?: string): readonly Named[]
  /** Returns a datapoint and its connection, by the datapoint's id or name; undefined for an unknown id. */
  datapoint(given: string): KnownDatapoint | undefined
  datapointNames(): ReadonlyMap<string, string>
  /** Returns the unit of each datapoint that was commissioned with one. */
  units(): ReadonlyMap<string, string>
  /** Returns what the controllers enforce, by datapoint. */
  limits(): ReadonlyMap<string, Limits>
}

export interface KnownDatapoint extends Named {
  connection: Named
}

interface Placed extends Named {
  where: string
}

type Lists = Pick<Client, 'listDevices' | 'listTechnicalSystems'>

export function createDirectory(deps: {
  /** A client with the admin token or an API key. */
  client: Pick<Lists, 'listTechnicalSystems'>
  /** A client with the admin token. */
  operator: Pick<Lists, 'listDevices'> | undefined
  orgId: string
}): Directory {
  const { client, operator, orgId } = deps
  const learned = new Set<string>()
  const systems: Placed[] = []
  const connections: Connection[] = []
  let known: readonly KnownDatapoint[] | undefined

  function add(system: TechnicalSystem, deviceId: string): void {
    systems.push({ id: system.id, name: system.name, where: `device ${deviceId}` })
    for (const connection of system.connections) connections.push(connection)
    known = undefined
  }
  const datapoints = () => {
    known ??= connections.flatMap((connection) =>
      connection.datapoints.map(({ id, name }) => ({
        id,
        name,
        connection: { id: connection.id, name: connection.name },
      })),
    )
    return known
  }
  const all = () => connections.flatMap((connection) => connection.datapoints)
  const unlessUnasked = (given: string) => {
    if (learned.size === 0) {
      throw new UsageError(`${printable(given)}: with an API key, names need --device ID; otherwise give the id`)
    }
  }

  return {
    async learn(deviceIds) {
      const wanted = deviceIds ?? (operator ? (await listDevices(operator, orgId)).map(({ id }) => id) : [])
      for (const deviceId of wanted) {
        if (learned.has(deviceId)) continue
        learned.add(deviceId)
        const { technicalSystems } = await client.listTechnicalSystems({ orgId, deviceId })
        for (const system of technicalSystems) add(system, deviceId)
      }
    },
    datapointId(given) {
      if (!given.startsWith('dp_')) unlessUnasked(given)
      return resolveAmong('datapoint', datapoints(), given, ({ connection }) => connection.name)
    },
    systemId(given) {
      if (!given.startsWith('sys_')) unlessUnasked(given)
      return resolveAmong('technical system', systems, given, ({ where }) => where)
    },
    connections(given) {
      if (given === undefined) return connections
      const id = resolveAmong('connection', connections, given, ({ protocol }) => protocol)
      return [connections.find((each) => each.id === id) ?? { id, name: id }]
    },
    datapoint(given) {
      const found = choose(datapoints(), given, ({ connection }) => connection.name)
      if (!found && !given.startsWith('dp_')) throw unknownName('datapoint', datapoints(), given)
      return found
    },
    datapointNames: () => new Map(datapoints().map(({ id, name }) => [id, name])),
    units: () => new Map(all().flatMap(({ id, unit }) => (unit === undefined ? [] : [[id, unit] as const]))),
    limits: () => new Map(all().flatMap(({ id, limits }) => (limits ? [[id, limits] as const] : []))),
  }
}
