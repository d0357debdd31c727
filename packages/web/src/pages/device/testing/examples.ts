import type { Hold, LiveDevice } from '@plantroom/contract/control-state'
import { type Datapoint, IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import type { DatapointRow, LiveOverride } from '../rows.ts'

/** It is 12:00 UTC, 14:00 in Tallinn. */
export const NOW = Date.parse('2026-11-15T12:00:00.000Z')
export const minutes = (count: number) => new Date(NOW + count * 60_000).toISOString()

export const aDatapoint = (changes: Partial<Datapoint> = {}): Datapoint => ({
  id: 'charge',
  connectionId: 'inverter',
  name: 'Charge power',
  accessType: 'READ_WRITE',
  writeInputData: { min: -50, max: 50 },
  analyticsInterval: 60,
  broadcastInterval: 10,
  writeInterval: 0,
  cloudScheduleId: null,
  scaler: IDENTITY_SCALER,
  alarmData: null,
  data: {},
  createdAt: minutes(-1000),
  updatedAt: minutes(-1000),
  ...changes,
})

/** Held at 20 for another hour; at 5 before. */
export const aHold = (changes: Partial<Hold> = {}): Hold => ({
  datapointId: 'charge',
  by: 'demand-response',
  value: 20,
  overrideId: 'w1',
  until: minutes(60),
  next: { by: 'plain', value: 5 },
  beneath: { by: 'plain', value: 5 },
  trouble: null,
  troubleReason: null,
  ...changes,
})

export const anOverride = (changes: Partial<LiveOverride> = {}): LiveOverride => ({
  id: 'w1',
  datapointId: 'charge',
  value: 20,
  from: minutes(-30),
  to: minutes(60),
  reqId: 'r1',
  placedBy: 'key-1',
  placedByName: 'Grid partner',
  state: 'active',
  ...changes,
})

export const aLiveDevice = (changes: Partial<LiveDevice> = {}): LiveDevice => ({
  at: minutes(0),
  clockSuspect: false,
  connections: [],
  holds: [],
  overrides: [],
  ...changes,
})

/** At 5, not held. */
export const aRow = (changes: Partial<DatapointRow> = {}): DatapointRow => ({
  datapoint: aDatapoint(),
  value: { value: 5, timestamp: minutes(0) },
  hold: undefined,
  overrides: [],
  limits: undefined,
  isWritable: true,
  ...changes,
})
