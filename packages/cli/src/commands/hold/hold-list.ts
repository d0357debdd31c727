import type { Hold, LiveDevice } from '@plantroom/contract/control-state'
import type { ReportedValue } from '@plantroom/contract/reports'
import { table } from '../../output.ts'

/** One hold, as the command line prints it. */
export interface ListedHold extends Pick<Hold, 'datapointId' | 'state' | 'by' | 'until' | 'trouble' | 'troubleReason'> {
  /** `null` when the datapoint is no longer commissioned. */
  name: string | null
  /** What is wanted: the setpoint, or the value to restore. */
  value: ReportedValue
  lastRead: ReportedValue
  lastReadAt: string | null
}

/** Lists the holds of a device with what it read last. */
export function listHolds(
  { holds, connections }: Pick<LiveDevice, 'holds' | 'connections'>,
  names: ReadonlyMap<string, string>,
): ListedHold[] {
  const values = new Map(connections.flatMap((connection) => Object.entries(connection.values)))
  return holds.map(({ datapointId, state, by, value, until, trouble, troubleReason }) => {
    const read = values.get(datapointId)
    const lastRead = read?.value ?? null
    return {
      datapointId,
      name: names.get(datapointId) ?? null,
      state,
      by,
      value,
      until,
      lastRead,
      lastReadAt: lastRead === null ? null : (read?.timestamp ?? null),
      trouble,
      troubleReason,
    }
  })
}

/** Formats holds as a table. */
export function holdsTable(holds: readonly (ListedHold & { device: string; unit: string | undefined })[]): string {
  const rows = holds.map((hold) => {
    const shown = (value: ReportedValue) => (value === null ? '-' : `${value} ${hold.unit ?? ''}`)
    const { device, datapointId, name, state, by, value, until, lastRead, lastReadAt, trouble, troubleReason } = hold
    const problem = [trouble, troubleReason && `(${troubleReason})`].filter(Boolean).join(' ')
    return [
      ...[device, datapointId, name ?? '-', state, by, shown(value).trimEnd(), until ?? '-'],
      ...[shown(lastRead).trimEnd(), lastReadAt ?? '-', problem || '-'],
    ]
  })
  const header = ['DEVICE', 'ID', 'NAME', 'STATE', 'HELD BY', 'WANTED', 'UNTIL', 'LAST READ', 'READ AT', 'TROUBLE']
  return table(header, rows, 'nothing is held')
}
