import {
  type CommissionedConnection,
  type CommissionedDatapoint,
  CommissioningFile,
  type FileProblem,
  fileProblems,
} from '@plantroom/contract/commissioning'
import { type Connection, type Datapoint, IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import { describeSchemaError } from '@plantroom/contract/describe-error'
import type { Protocol as ProtocolName } from '@plantroom/contract/protocols'
import type { Protocol } from '@plantroom/drivers/driver'
import { Ajv } from 'ajv'
import { sharedTargets } from '../connections/check-targets.ts'

export type Protocols = Readonly<Record<ProtocolName, Protocol>>

/**
 * Checks a file with the rules of the cloud and of the device, and returns all problems. Returns only the problems of
 * the shape where that is wrong, because the other rules rely on it.
 */
export function checkFile(
  document: object,
  protocols: Protocols,
): { file: CommissioningFile } | { problems: FileProblem[] } {
  const checked = checkShape(document)
  if ('problems' in checked) return checked
  const { file } = checked
  const driverProblems = file.connections.flatMap((connection, index) =>
    protocols[connection.protocol]
      .check(connection)
      .map(({ path, message }) => ({ path: `connections[${index}].${path}`, message })),
  )
  const problems = [...fileProblems(file), ...driverProblems]
  if (problems.length === 0) {
    const system = { id: '', name: file.technicalSystem, connections: toConnections(file) }
    problems.push(...sharedTargets(system, [], ({ protocol }) => protocols[protocol]))
  }
  return problems.length > 0 ? { problems } : { file }
}

const hasShape = new Ajv({ allErrors: true }).compile<CommissioningFile>(CommissioningFile)

/** Validates the shape of a commissioning file. Returns every problem, in the wording of the cloud. */
function checkShape(document: object): { file: CommissioningFile } | { problems: FileProblem[] } {
  if (hasShape(document)) return { file: document }
  const descriptions = (hasShape.errors ?? []).map((error) => describeSchemaError(error))
  return { problems: descriptions.map(({ path, rule }) => ({ path, message: rule })) }
}

/** Converts the connections of a file for the drivers. The ids are paths in the file and are never shown. */
export function toConnections({ connections }: CommissioningFile): Connection[] {
  return connections.map((connection, index) => toConnection(connection, `connections[${index}]`))
}

/** Returns the host and port or the serial port of the equipment, without anything that could be a secret. */
export function endpointOf({ settings }: Connection): string {
  const { url, host, port, path } = settings
  if (typeof path === 'string') return path
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
