import type { Hold, LiveDevice, ShownLimits } from '@plantroom/contract/control-state'
import { type Connection, type Datapoint, overridableIn, type TechnicalSystem } from '@plantroom/contract/datapoint'
import type { ConnectionValues, DatapointValue } from '@plantroom/contract/values'
import { type HoldFailsafe, releaseWaits } from '../../parts/describe-hold.ts'
import { rankBy, ranked } from '../../parts/rank-words.ts'
import { slotAt } from '../../parts/slot-at.ts'

export type LiveOverride = LiveDevice['overrides'][number]

/** One datapoint: its commissioning and its live state. */
export interface DatapointRow {
  datapoint: Datapoint
  value: DatapointValue | undefined
  hold: Hold | undefined
  /** In the order of the controller: the active one first. */
  overrides: readonly LiveOverride[]
  /** What the controller enforces; `undefined` without limits. */
  limits: ShownLimits | undefined
  /** False for read-only datapoints and failsafe registers, which only the controller writes. */
  isWritable: boolean
  /** What makes the equipment fall back when its controller dies. */
  failsafe: HoldFailsafe | undefined
  /** The release of its hold waits for the controller. */
  releaseWaits: boolean
}

/** A connection with its datapoints. */
export interface RowGroup {
  connection: Connection
  systemName: string
  live: ConnectionValues | undefined
  rows: readonly DatapointRow[]
}

const NO_OVERRIDES: readonly LiveOverride[] = []

/** Joins what is commissioned with the live state, which is `undefined` before the first one arrives. */
export function groupsOf(systems: readonly TechnicalSystem[], device: LiveDevice | undefined): RowGroup[] {
  const connections = new Map(device?.connections.map((each) => [each.connectionId, each]))
  const holds = new Map(device?.holds.map((each) => [each.datapointId, withSlotEnd(each, systems, device.at)]))
  const overrides = Map.groupBy(device?.overrides ?? [], ({ datapointId }) => datapointId)
  return systems.flatMap((system) => {
    const isWritable = overridableIn([system])
    const failsafes = new Map(system.failsafes?.map((failsafe) => [failsafe.datapointId, failsafe]))
    return system.connections.map((connection) => {
      const live = connections.get(connection.id)
      const rows = connection.datapoints.map((datapoint) => ({
        datapoint,
        value: live?.values[datapoint.id],
        hold: holds.get(datapoint.id),
        overrides: overrides.get(datapoint.id) ?? NO_OVERRIDES,
        // Before the first live state, as commissioned.
        limits: device?.limits?.[datapoint.id] ?? datapoint.limits,
        isWritable: isWritable(datapoint),
        failsafe: failsafes.get(datapoint.id),
        releaseWaits: releaseWaits(holds.get(datapoint.id), device),
      }))
      return { connection, systemName: system.name, live, rows }
    })
  })
}

/** A schedule holds until its slot ends: controllers report ends of overrides only. */
function withSlotEnd(hold: Hold, systems: readonly TechnicalSystem[], at: string): Hold {
  const slot = hold.by === 'deviation' ? slotAt(systems, hold.datapointId, Date.parse(at)) : undefined
  return slot ? { ...hold, until: new Date(slot.to).toISOString() } : hold
}

export function findRow(groups: readonly RowGroup[], datapointId: string | null): DatapointRow | undefined {
  for (const { rows } of groups) {
    const found = rows.find(({ datapoint }) => datapoint.id === datapointId)
    if (found) return found
  }
  return undefined
}

/** Chooses at most `limit` rows that match the search; held ones and those that the address names take precedence. */
export function chooseRows(
  groups: readonly RowGroup[],
  {
    search,
    heldOnly,
    limit,
    wantedIds = [],
  }: { search: string; heldOnly: boolean; limit: number; wantedIds?: readonly (string | null | undefined)[] },
): { groups: RowGroup[]; shown: number; leftOut: number } {
  const rank = rankBy(search)
  const best = (group: RowGroup) => {
    const around = `${group.systemName} ${group.connection.name}`
    const rankOf = ({ datapoint, hold }: DatapointRow) => (heldOnly && !hold ? undefined : rank(datapoint.name, around))
    const rows = ranked(group.rows, rankOf)
    return { ...group, rows, rank: (rows[0] && rankOf(rows[0])) ?? 0 }
  }
  const found = groups.map(best).toSorted((a, b) => b.rank - a.rank)
  const isFirst = ({ hold, datapoint }: DatapointRow) => hold !== undefined || wantedIds.includes(datapoint.id)
  const total = found.reduce((sum, { rows }) => sum + rows.length, 0)
  const first = found.reduce((sum, { rows }) => sum + rows.filter(isFirst).length, 0)
  let firstLeft = limit
  let othersLeft = Math.max(0, limit - first)
  const chosen = found
    .map(({ rank: _rank, ...group }) => ({
      ...group,
      rows: group.rows.filter((row) => (isFirst(row) ? firstLeft-- > 0 : othersLeft-- > 0)),
    }))
    .filter(({ rows }) => rows.length > 0)
  const shown = Math.min(total, limit)
  return { groups: chosen, shown, leftOut: total - shown }
}
