import type { CommissionedConnection, CommissionedDatapoint, CommissioningFile } from './file.ts'
import { matchConnections, matchDatapoints } from './match.ts'
import { datapointsByReference } from './names.ts'

/** A file with the names that another one gives to the same connections and datapoints. */
export interface Renamed {
  file: CommissioningFile
  /** The earlier name of a connection, or of a datapoint of it, by its new name; `undefined` when it has not changed. */
  earlierName(connection: string, datapoint?: string): string | undefined
}

/** Renames what is commissioned as a new file does, so that both can be compared by name. */
export function withNewNames(before: CommissioningFile, after: CommissioningFile): Renamed {
  const names = new Map<CommissionedConnection | CommissionedDatapoint, string>()
  const earlier = new Map<string, string>()
  const keep = (was: { name: string } & object, ...path: readonly [string, string?]) => {
    const name = path.at(-1) ?? ''
    names.set(was as CommissionedConnection, name)
    if (was.name !== name) earlier.set(JSON.stringify(path), was.name)
  }
  for (const [connection, { was }] of matchConnections(before.connections, after.connections)) {
    keep(was, connection.name)
    for (const [datapoint, found] of matchDatapoints(was.datapoints, connection.datapoints)) {
      keep(found.was, connection.name, datapoint.name)
    }
  }
  return {
    file: rename(before, (item) => names.get(item) ?? item.name),
    earlierName: (...path) => earlier.get(JSON.stringify(path)),
  }
}

type NameOf = (item: CommissionedConnection | CommissionedDatapoint) => string

function rename(file: CommissioningFile, nameOf: NameOf): CommissioningFile {
  const find = datapointsByReference(file)
  const owners = new Map(file.connections.flatMap((one) => one.datapoints.map((datapoint) => [datapoint, one])))
  const refer = (reference: string) => {
    const [placed, ...others] = find(reference)
    const owner = placed && owners.get(placed.datapoint)
    return placed && owner && others.length === 0 ? `${nameOf(owner)}/${nameOf(placed.datapoint)}` : reference
  }
  const referAll = <Item extends { datapoint: string }>(items: readonly Item[]) =>
    items.map((item) => ({ ...item, datapoint: refer(item.datapoint) }))
  const { peakShaving, powerLimit, schedules } = file
  return {
    ...file,
    connections: file.connections.map((connection) => ({
      ...connection,
      name: nameOf(connection),
      datapoints: connection.datapoints.map((datapoint) => renameDatapoint(datapoint, connection, nameOf)),
    })),
    ...(peakShaving && {
      peakShaving: { ...peakShaving, meter: refer(peakShaving.meter), loads: referAll(peakShaving.loads) },
    }),
    ...(powerLimit && {
      powerLimit: {
        ...powerLimit,
        meter: refer(powerLimit.meter),
        loads: referAll(powerLimit.loads).map(({ storage, ...load }) => ({
          ...load,
          ...(storage && { storage: { ...storage, charge: refer(storage.charge) } }),
        })),
        ...(powerLimit.inputs && { inputs: referAll(powerLimit.inputs) }),
      },
    }),
    ...(schedules && { schedules: referAll(schedules) }),
  }
}

function renameDatapoint(
  datapoint: CommissionedDatapoint,
  { datapoints }: CommissionedConnection,
  nameOf: NameOf,
): CommissionedDatapoint {
  const { failsafe } = datapoint
  const register = (name: string | undefined) => {
    const found = datapoints.find((one) => one.name === name)
    return found ? nameOf(found) : name
  }
  const [reversion, heartbeat] = [register(failsafe?.reversion), register(failsafe?.heartbeat)]
  return {
    ...datapoint,
    name: nameOf(datapoint),
    ...(failsafe && {
      failsafe: {
        ...failsafe,
        ...(reversion !== undefined && { reversion }),
        ...(heartbeat !== undefined && { heartbeat }),
      },
    }),
  }
}
