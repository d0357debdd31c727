import { newId } from '@plantroom/base/ids'
import type { ReportEntry } from '@plantroom/contract/reports'
import type { DeviceNames } from '../device-name-store.ts'

/** An entry as a device sends it. */
export function entryOf(deviceId: string, seq: number, changes: Partial<ReportEntry> = {}): ReportEntry {
  return {
    id: newId('rep'),
    code: 4005,
    name: 'OPTIMIZATION_DEMAND_RESPONSE',
    title: 'Demand response adjustment',
    group: 'optimization',
    level: 'INFO',
    at: '2026-01-31T12:00:00.250Z',
    deviceId,
    technicalSystemId: 'ts_1',
    connectionId: 'conn_1',
    datapointId: 'dp_1',
    overrideId: 'ovr_1',
    reqId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    phase: 'applied',
    reason: 'window',
    valueBefore: 20,
    value: 21.5,
    readBack: 21.5,
    seq,
    placedBy: null,
    cancelledBy: null,
    ...changes,
  }
}

export const entriesOf = (deviceId: string, count: number, changes: Partial<ReportEntry> = {}): ReportEntry[] =>
  Array.from({ length: count }, (_, index) => entryOf(deviceId, index + 1, changes))

/** The names of a device whose parts have the ids of `entryOf`. */
export const namesOf = (deviceId: string): DeviceNames => ({
  device: `Device ${deviceId}`,
  technicalSystems: new Map([['ts_1', 'Heating']]),
  connections: new Map([['conn_1', 'Modbus']]),
  datapoints: new Map([['dp_1', '=Setpoint']]),
})
