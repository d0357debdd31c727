import type { CsvCell } from '@plantroom/base/csv'
import type { ReportEntry } from '@plantroom/contract/reports'
import type { DeviceNameStore, DeviceNames } from './device-name-store.ts'

/** Cached between pages. One page may temporarily need more. */
const MAX_NAMES = 50_000

export interface NamedReport {
  entry: ReportEntry
  /** `undefined` when the device no longer exists. */
  names: DeviceNames | undefined
}

/** Adds names to entries, page by page. Looks up each device at its first entry. */
export function createNaming(deps: {
  names: Pick<DeviceNameStore, 'find'>
  maxNames?: number
}): (entries: readonly ReportEntry[]) => Promise<NamedReport[]> {
  const { names, maxNames = MAX_NAMES } = deps
  /** Ordered by last use. */
  const known = new Map<string, DeviceNames | undefined>()

  function evictOldest(): void {
    let count = 0
    for (const [deviceId, found] of [...known].toReversed()) {
      if (count >= maxNames) known.delete(deviceId)
      count += sizeOf(found)
    }
  }

  return async (entries) => {
    for (const deviceId of new Set(entries.map((entry) => entry.deviceId))) {
      const found = known.has(deviceId) ? known.get(deviceId) : await names.find(deviceId)
      known.delete(deviceId)
      known.set(deviceId, found)
    }
    const named = entries.map((entry) => ({ entry, names: known.get(entry.deviceId) }))
    evictOldest()
    return named
  }
}

const sizeOf = (names: DeviceNames | undefined) =>
  1 + (names ? names.technicalSystems.size + names.connections.size + names.datapoints.size : 0)

type Column = readonly [name: string, cell: (report: NamedReport) => CsvCell | undefined]

const COLUMNS: readonly Column[] = [
  ['at', ({ entry }) => entry.at],
  ['code', ({ entry }) => entry.code],
  ['title', ({ entry }) => entry.title],
  ['phase', ({ entry }) => entry.phase],
  ['reason', ({ entry }) => entry.reason],
  ['deviceName', ({ names }) => names?.device],
  ['technicalSystemName', ({ entry, names }) => names?.technicalSystems.get(entry.technicalSystemId)],
  ['connectionName', ({ entry, names }) => names?.connections.get(entry.connectionId)],
  ['datapointName', ({ entry, names }) => names?.datapoints.get(entry.datapointId)],
  ['valueBefore', ({ entry }) => entry.valueBefore],
  ['value', ({ entry }) => entry.value],
  ['readBack', ({ entry }) => entry.readBack],
  ['deviceId', ({ entry }) => entry.deviceId],
  ['technicalSystemId', ({ entry }) => entry.technicalSystemId],
  ['connectionId', ({ entry }) => entry.connectionId],
  ['datapointId', ({ entry }) => entry.datapointId],
  ['overrideId', ({ entry }) => entry.overrideId],
  ['reqId', ({ entry }) => entry.reqId],
  ['id', ({ entry }) => entry.id],
  ['seq', ({ entry }) => entry.seq],
]

export const REPORT_COLUMNS: readonly string[] = COLUMNS.map(([name]) => name)

/** The cells of one row. A name that no longer exists is empty. */
export const reportCells = (report: NamedReport): CsvCell[] => COLUMNS.map(([, cell]) => cell(report) ?? null)
