import type {
  CommissionedConnection,
  CommissionedDatapoint,
  CommissioningFile,
} from '@plantroom/contract/commissioning'
import { type Connection, type Datapoint, IDENTITY_SCALER } from '@plantroom/contract/datapoint'

/** Returns the connections of a file as drivers take them. The ids are places in the file, and never shown. */
export function layOut({ connections }: CommissioningFile): Connection[] {
  return connections.map((connection, index) => toConnection(connection, `connections[${index}]`))
}

/** Where the equipment is, without anything that could be a secret. */
export function endpointOf({ settings }: Connection): string {
  const { url, host, port } = settings
  if (typeof url === 'string' && URL.canParse(url)) {
    const address = new URL(url)
    return `${address.hostname}:${address.port || (USUAL_PORTS[address.protocol] ?? '')}`
  }
  const name = String(host)
  return `${name.includes(':') ? `[${name}]` : name}:${port ?? MODBUS_PORT}`
}

const MODBUS_PORT = 502
const USUAL_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883, 'http:': 80, 'https:': 443 }

function toConnection({ name, protocol, settings, datapoints }: CommissionedConnection, id: string): Connection {
  // A broker ends one of two connections with the same client id: it could end that of the running device.
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
