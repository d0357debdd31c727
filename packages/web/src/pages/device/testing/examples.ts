import type { LiveDevice } from '@plantroom/contract/control-state'
import { type Datapoint, IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import { minutes } from '../../../parts/testing/holds.ts'
import type { DatapointRow } from '../rows.ts'

export { aHold, anOverride, minutes, NOW } from '../../../parts/testing/holds.ts'

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
  failsafe: undefined,
  releaseWaits: false,
  ...changes,
})
