import { isDeepStrictEqual } from 'node:util'
import { derivedId } from '@plantroom/base/ids'
import type { CommissionedDatapoint, CommissioningFile } from '@plantroom/contract/commissioning'
import { type Datapoint, IDENTITY_SCALER, type TechnicalSystem } from '@plantroom/contract/datapoint'
import { layOutControl } from './lay-out-control.ts'

/** The envelope of a writable datapoint that was commissioned without one: every number a caller can send exactly. */
export const NO_ENVELOPE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/**
 * What a commissioning file without problems makes of a device. Pure.
 *
 * Ids follow from the names, so the same file always gets the same ids, also on a device that was
 * replaced or after an attempt that ended half way. Times are kept where nothing changed.
 */
export function layOut(
  file: CommissioningFile,
  on: { deviceId: string; timeZone: string; before: TechnicalSystem | undefined; now: string },
): TechnicalSystem {
  const { deviceId, timeZone, before, now } = on
  const known = new Map(
    before?.connections.flatMap((connection) => connection.datapoints.map((datapoint) => [datapoint.id, datapoint])),
  )
  const datapointId = (connection: string, datapoint: string) =>
    derivedId('dp', deviceId, file.technicalSystem, connection, datapoint)
  const scheduleId = (schedule: string) => derivedId('sch', deviceId, file.technicalSystem, schedule)
  const control = layOutControl(file, { datapointId, scheduleId })
  const drivenBy = new Map(control.schedules.map((schedule) => [schedule.datapointId, schedule.id]))
  return {
    id: derivedId('sys', deviceId, file.technicalSystem),
    name: file.technicalSystem,
    timeZone,
    connections: file.connections.map((connection) => {
      const connectionId = derivedId('con', deviceId, file.technicalSystem, connection.name)
      return {
        id: connectionId,
        name: connection.name,
        protocol: connection.protocol,
        settings: connection.settings,
        datapoints: connection.datapoints.map((commissioned) => {
          const id = datapointId(connection.name, commissioned.name)
          const cloudScheduleId = drivenBy.get(id) ?? null
          return stamp(toDatapoint({ id, connectionId, cloudScheduleId }, commissioned), known.get(id), now)
        }),
      }
    }),
    ...control,
  }
}

type Unstamped = Omit<Datapoint, 'createdAt' | 'updatedAt'>

function toDatapoint(
  ids: Pick<Datapoint, 'id' | 'connectionId' | 'cloudScheduleId'>,
  commissioned: CommissionedDatapoint,
): Unstamped {
  const { analyticsCalculateConsumption } = commissioned
  const writable = {
    writeInputType: commissioned.writeInputType ?? 'number',
    writeInputData: commissioned.writeInputData ?? NO_ENVELOPE,
    ...(commissioned.releaseValue !== undefined && { releaseValue: commissioned.releaseValue }),
    analyticsCalculateConsumption: analyticsCalculateConsumption ?? false,
  }
  const readOnly = analyticsCalculateConsumption === undefined ? {} : { analyticsCalculateConsumption }
  return {
    id: ids.id,
    connectionId: ids.connectionId,
    name: commissioned.name,
    accessType: commissioned.accessType,
    ...(commissioned.accessType === 'READ' ? readOnly : writable),
    analyticsInterval: commissioned.analyticsInterval ?? 0,
    broadcastInterval: commissioned.broadcastInterval ?? 0,
    writeInterval: commissioned.writeInterval ?? 0,
    cloudScheduleId: ids.cloudScheduleId,
    scaler: commissioned.scaler ?? IDENTITY_SCALER,
    alarmData: null,
    data: commissioned.data,
  }
}

function stamp(datapoint: Unstamped, before: Datapoint | undefined, now: string): Datapoint {
  if (!before) return { ...datapoint, createdAt: now, updatedAt: now }
  const { createdAt, updatedAt, ...old } = before
  // Compared as it will be stored: JSON has no -0, so an offset of -0 would be a change every time.
  const unchanged = isDeepStrictEqual(old, JSON.parse(JSON.stringify(datapoint)))
  return { ...datapoint, createdAt, updatedAt: unchanged ? updatedAt : now }
}
