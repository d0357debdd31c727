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

/** Returns the host and port of the equipment, without anything that could be a secret. */
export function endpointOf({ settings }: Connection): string {
  const { url, host, port } = settings
  if (typeof url === 'string' && URL.canParse(url)) {
    const address = new URL(url)
    return `${address.hostname}:${address.port || (DEFAULT_PORTS[address.protocol] ?? '')}`
  }
  const name = String(host)
  return `${name.includes(':') ? `[${name}]` : name}:${port ?? MODBUS_PORT}`
}

const MODBUS_PORT = 502
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883, 'http:': 80, 'https:': 443 }

function toConnection({ name, protocol, settings, datapoints }: CommissionedConnection, id: string): Connection {
  // A broker closes one of two connections with the same client id, which could be that of the running device.
  const { clientId, ...others } = settings
  return {
    ...{ id, name, protocol, settings: others },
    datapoints: datapoints.map((datapoint, index) => toDatapoint(datapoint, id, `${id}.datapoints[${index}]`)),
  }
}

function toDatapoint(
  { name, accessType, data, scaler, releaseValue }: CommissionedDatapoint,
  connectionId: string,
  id: string,
): Datapoint {
  return {
    ...{ id, connectionId, name, accessType, data },
    ...(releaseValue !== undefined && { releaseValue }),
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
