import type { Hold, LiveDevice, PlacedOverride } from '@plantroom/contract/control-state'
import type { Connection, Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { ConnectionValues, DatapointValue } from '@plantroom/contract/values'

export type LiveWindow = LiveDevice['overrides'][number]

/** One datapoint: what was commissioned, and what is heard of it. */
export interface DatapointRow {
  datapoint: Datapoint
  value: DatapointValue | undefined
  hold: Hold | undefined
  /** In the order that the device tells them: the one that rules first. */
  overrides: readonly LiveWindow[]
  /** Whether it may be overridden: a failsafe register is the controller's own. */
  isWritable: boolean
}

/** A connection with its datapoints. */
export interface RowGroup {
  connection: Connection
  systemName: string
  live: ConnectionValues | undefined
  rows: readonly DatapointRow[]
}

const NO_WINDOWS: readonly LiveWindow[] = []

/** What is commissioned, joined with what the device says; all of it is `undefined` where nothing was heard yet. */
export function groupsOf(systems: readonly TechnicalSystem[], device: LiveDevice | undefined): RowGroup[] {
  const connections = new Map(device?.connections.map((each) => [each.connectionId, each]))
  const holds = new Map(device?.holds.map((each) => [each.datapointId, each]))
  const overrides = Map.groupBy(device?.overrides ?? [], ({ datapointId }) => datapointId)
  return systems.flatMap((system) => {
    const registers = new Set(system.failsafes?.map(({ registerId }) => registerId))
    return system.connections.map((connection) => {
      const live = connections.get(connection.id)
      const rows = connection.datapoints.map((datapoint) => ({
        datapoint,
        value: live?.values[datapoint.id],
        hold: holds.get(datapoint.id),
        overrides: overrides.get(datapoint.id) ?? NO_WINDOWS,
        isWritable: datapoint.accessType !== 'READ' && !registers.has(datapoint.id),
      }))
      return { connection, systemName: system.name, live, rows }
    })
  })
}

export function findRow(groups: readonly RowGroup[], datapointId: string | null): DatapointRow | undefined {
  for (const { rows } of groups) {
    const found = rows.find(({ datapoint }) => datapoint.id === datapointId)
    if (found) return found
  }
  return undefined
}

/** Those that are shown: at most `limit`, of which none that is held is left out before one that is not. */
export function chooseRows(
  groups: readonly RowGroup[],
  { search, heldOnly, limit }: { search: string; heldOnly: boolean; limit: number },
): { groups: RowGroup[]; shown: number; leftOut: number } {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = groups.map((group) => {
    const around = `${group.systemName} ${group.connection.name}`.toLowerCase()
    const rows = group.rows.filter(({ datapoint, hold }) => {
      if (heldOnly && !hold) return false
      const text = `${around} ${datapoint.name.toLowerCase()}`
      return words.every((word) => text.includes(word))
    })
    return { ...group, rows }
  })
  const total = found.reduce((sum, { rows }) => sum + rows.length, 0)
  const held = found.reduce((sum, { rows }) => sum + rows.filter(({ hold }) => hold).length, 0)
  let heldLeft = limit
  let othersLeft = Math.max(0, limit - held)
  const chosen = found
    .map((group) => ({ ...group, rows: group.rows.filter(({ hold }) => (hold ? heldLeft-- > 0 : othersLeft-- > 0)) }))
    .filter(({ rows }) => rows.length > 0)
  const shown = Math.min(total, limit)
  return { groups: chosen, shown, leftOut: total - shown }
}

/** Connections that the device speaks of and nobody knows the name of: what is commissioned has changed. */
export function unknownConnections(systems: readonly TechnicalSystem[], device: LiveDevice | undefined): string[] {
  const known = new Set(systems.flatMap(({ connections }) => connections.map(({ id }) => id)))
  return (device?.connections ?? []).map(({ connectionId }) => connectionId).filter((id) => !known.has(id))
}

/** Windows whose time has come. */
export const isRunning = ({ state }: Pick<PlacedOverride, 'state'>) => state !== 'queued'
