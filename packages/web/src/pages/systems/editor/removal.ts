import type {
  CommissionedConnection,
  CommissionedDatapoint,
  CommissioningFile,
} from '@plantroom/contract/commissioning'

/** What a person has removed from a file, and where it was. */
export interface Removal {
  at: number
  connection: CommissionedConnection
  /** Only this datapoint of the connection, and its place. */
  datapoint?: { place: number; removed: CommissionedDatapoint }
}

/** Returns the file without what is removed. */
export function without(file: CommissioningFile, { at, datapoint }: Removal): CommissioningFile {
  const connection = file.connections[at]
  if (!datapoint || !connection) return { ...file, connections: file.connections.toSpliced(at, 1) }
  const datapoints = connection.datapoints.toSpliced(datapoint.place, 1)
  return { ...file, connections: file.connections.with(at, { ...connection, datapoints }) }
}

/** Returns a file, changed since, with what was removed; `undefined` when the connection of a datapoint is gone. */
export function putBack(file: CommissioningFile, removal: Removal): CommissioningFile | undefined {
  const { connection, datapoint } = removal
  if (!datapoint) return { ...file, connections: file.connections.toSpliced(removal.at, 0, connection) }
  const at = file.connections.findIndex(({ name }) => name === connection.name)
  const now = file.connections[at]
  if (!now) return undefined
  const datapoints = now.datapoints.toSpliced(datapoint.place, 0, datapoint.removed)
  return { ...file, connections: file.connections.with(at, { ...now, datapoints }) }
}
