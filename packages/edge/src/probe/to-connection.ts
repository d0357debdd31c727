import type {
  CommissionedConnection,
  CommissionedDatapoint,
  CommissioningFile,
} from '@plantroom/contract/commissioning'
import { type Connection, type Datapoint, IDENTITY_SCALER } from '@plantroom/contract/datapoint'

/** Converts the connections of a file for the drivers. The ids are paths in the file and are never shown. */
export function toConnections({ connections }: CommissioningFile): Connection[] {
  return connections.map((connection, index) => toConnection(connection, `connections[${index}]`))
}

/** Converts one connection. */
export function toConnection({ name, protocol, settings, datapoints }: CommissionedConnection, id: string): Connection {
  // A broker closes one of two connections with the same client id, which could be that of the running device.
  const { clientId, ...others } = settings
  return {
    id,
    name,
    protocol,
    settings: others,
    datapoints: datapoints.map((datapoint, index) => toDatapoint(datapoint, id, `${id}.datapoints[${index}]`)),
  }
}

function toDatapoint(
  { name, accessType, data, scaler, releaseValue, limits }: CommissionedDatapoint,
  connectionId: string,
  id: string,
): Datapoint {
  return {
    id,
    connectionId,
    name,
    accessType,
    data,
    ...(releaseValue !== undefined && { releaseValue }),
    ...(limits && { limits }),
    scaler: scaler ?? IDENTITY_SCALER,
    analyticsInterval: 0,
    broadcastInterval: 0,
    writeInterval: 0,
    cloudScheduleId: null,
    alarmData: null,
    createdAt: '',
    updatedAt: '',
  }
}
