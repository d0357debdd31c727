import type { ChainedEntry } from '@plantroom/contract/reports'

/** Makes an audit entry with the given fields. */
export function aReportEntry(about: Partial<ChainedEntry> & { seq: number }): ChainedEntry {
  return {
    id: `rep_${about.seq}`,
    code: 4005,
    name: 'OPTIMIZATION_DEMAND_RESPONSE',
    title: 'Demand response adjustment',
    group: 'optimization',
    level: 'INFO',
    at: '2030-01-01T00:00:00.000Z',
    deviceId: 'dev_1',
    technicalSystemId: 'sys',
    connectionId: 'conn',
    datapointId: 'power',
    overrideId: 'ovr_1',
    reqId: null,
    phase: 'applied',
    reason: 'window',
    valueBefore: 10,
    value: 20,
    readBack: null,
    placedBy: null,
    previous: null,
    ...about,
  }
}
