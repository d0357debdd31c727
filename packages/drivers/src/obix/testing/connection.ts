import { type Connection, type Datapoint, IDENTITY_SCALER } from '@plantroom/contract/datapoint'

/** The `data` of each datapoint by id, plus `accessType` if it is not READ_WRITE. */
export type Points = Record<string, Record<string, unknown>>

export const never = new AbortController().signal

export function connectionOf(points: Points, settings: Record<string, unknown>): Connection {
  return {
    id: 'connection',
    name: 'AHU',
    protocol: 'obix',
    settings,
    datapoints: Object.entries(points).map(([id, { accessType = 'READ_WRITE', ...data }]) => ({
      id,
      connectionId: 'connection',
      name: id,
      accessType: accessType as Datapoint['accessType'],
      analyticsInterval: 0,
      broadcastInterval: 0,
      writeInterval: 0,
      cloudScheduleId: null,
      scaler: IDENTITY_SCALER,
      alarmData: null,
      data,
      createdAt: '',
      updatedAt: '',
    })),
  }
}
