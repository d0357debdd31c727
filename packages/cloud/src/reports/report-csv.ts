import type { CsvCell } from '@plantroom/base/csv'
import type { ReportEntry } from '@plantroom/contract/reports'
import type { DeviceNames, NameStore } from './name-store.ts'

/** Kept for the pages to come, and those of one device more; a page itself may need others. */
const MAX_NAMES = 50_000

export interface NamedReport {
  entry: ReportEntry
  /** `undefined` when the device is gone. */
  names: DeviceNames | undefined
}

/** Puts names to the entries of one page after another. A device is looked up when it is first met. */
export function createNaming(deps: {
  names: Pick<NameStore, 'find'>
  maxNames?: number
}): (entries: readonly ReportEntry[]) => Promise<NamedReport[]> {
  const { names, maxNames = MAX_NAMES } = deps
  /** The one that was met last comes last. */
  const known = new Map<string, DeviceNames | undefined>()

  function forgetTheOldest(): void {
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
    forgetTheOldest()
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

/** What has no name any more has an empty cell for it. */
export const reportCells = (report: NamedReport): CsvCell[] => COLUMNS.map(([, cell]) => cell(report) ?? null)
