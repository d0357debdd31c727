import type { CheckedConnection, PointConfig, Problem } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import { APDU_LENGTHS, type ApduLength } from './apdu.ts'
import {
  OBJECT_TYPES,
  type ObjectTypeName,
  PROPERTY,
  type PropertyName,
  RESERVED_PRIORITIES,
  type ValueKind,
} from './names.ts'
import type { Peer } from './network.ts'
import { ANY_INSTANCE, type ObjectId } from './tags.ts'
import { UNITS } from './units.ts'

export const BACNET_PORT = 0xba_c0

export interface ForeignDeviceSettings {
  host: string
  port: number
  ttlSeconds: number
}

export interface BacnetSettings {
  /** Empty for a device that is found by its instance. */
  host: string
  port: number
  behind: Peer['behind']
  deviceInstance: number | undefined
  /** The slot of the priority array that is ours. */
  priority: number
  foreignDevice: ForeignDeviceSettings | undefined
  /** The port that we send from; 0 for any. */
  localPort: number
  timeoutMs: number
  /** How often a read without an answer is sent again. */
  retries: number
  maxApdu: ApduLength
  mode: 'cov' | 'poll'
}

export interface BacnetPoint {
  name: string
  writable: boolean
  object: ObjectId
  property: number
  /** `undefined` for a property that is not the present value. */
  values: ValueKind | undefined
  /** The unit that the object must have. */
  units: number | undefined
  /** The names of the states, from 1 on, or of inactive and active. The object must have the same. */
  states: readonly string[] | undefined
}

export interface BacnetConfig {
  settings: BacnetSettings
  points: readonly BacnetPoint[]
}

/** Checks and parses a commissioned connection. The config is complete only if there are no problems. */
export function parseConfig(connection: CheckedConnection): { config: BacnetConfig; problems: readonly Problem[] } {
  const problems: Problem[] = []
  const settings = parseSettings(connection.settings, problems)
  const points = connection.datapoints.flatMap((datapoint, index) => {
    const point = parsePoint(datapoint, `datapoints[${index}].data`, problems)
    return point ? [point] : []
  })
  return { config: { settings, points }, problems }
}

function parseSettings(record: Record<string, unknown>, problems: Problem[]): BacnetSettings {
  const fields = fieldsOf(record, 'settings', problems)
  const foreignDevice = parseForeignDevice(record, fields, problems)
  const isFound = foreignDevice !== undefined && record.host === undefined
  const behind = parseBehind(record, fields)
  const settings: BacnetSettings = {
    host: isFound ? '' : (fields.text('host') ?? ''),
    port: fields.integer('port', 1, 65_535, BACNET_PORT) ?? BACNET_PORT,
    behind,
    deviceInstance: fields.optionalInteger('deviceInstance', 0, ANY_INSTANCE - 1),
    priority: fields.integer('priority', 1, 16, 10) ?? 10,
    foreignDevice,
    localPort: fields.integer('localPort', 0, 65_535, 0) ?? 0,
    timeoutMs: fields.integer('timeoutMs', 1, 60_000, 3000) ?? 3000,
    retries: fields.integer('retries', 0, 5, 1) ?? 1,
    // Behind a router there may be a line that carries no more than 480 bytes.
    maxApdu: fields.optionalOneOf('maxApdu', APDU_LENGTHS) ?? (behind ? 480 : 1476),
    mode: fields.oneOf('mode', ['cov', 'poll'], 'cov') ?? 'cov',
  }
  // The edge polls; the driver only checks the field.
  fields.number('pollSeconds', 0.1, 86_400, 1)
  fields.rejectUnknown()

  const reservedFor = RESERVED_PRIORITIES.get(settings.priority)
  if (reservedFor) {
    fields.problem(
      'priority',
      `${settings.priority} is reserved for ${reservedFor}: agree on one of 3, 4, 7 and 9 to 16 with the building's engineer`,
    )
  }
  if (isFound && record.deviceInstance === undefined) {
    fields.problem('deviceInstance', 'is missing: without a host, the device is found by its instance')
  }
  if (isFound && behind) fields.problem('network', 'requires a host: the address of the router')
  return settings
}

function parseForeignDevice(record: Record<string, unknown>, fields: Fields, problems: Problem[]) {
  const own = record.foreignDevice
  // Read the field, so that it counts as known; its own value is always allowed.
  fields.optionalOneOf('foreignDevice', [own as string])
  if (own === undefined) return undefined
  if (typeof own !== 'object' || own === null || Array.isArray(own)) {
    fields.problem('foreignDevice', 'must have the fields host, port and ttlSeconds of the BBMD')
    return undefined
  }
  const bbmd = fieldsOf(own as Record<string, unknown>, 'settings.foreignDevice', problems)
  const foreignDevice = {
    host: bbmd.text('host') ?? '',
    port: bbmd.integer('port', 1, 65_535, BACNET_PORT) ?? BACNET_PORT,
    ttlSeconds: bbmd.integer('ttlSeconds', 30, 65_535, 300) ?? 300,
  }
  bbmd.rejectUnknown()
  return foreignDevice
}

function parseBehind(record: Record<string, unknown>, fields: Fields): Peer['behind'] {
  const network = fields.optionalInteger('network', 1, 65_534)
  const byte = typeof record.mac === 'number' ? fields.optionalInteger('mac', 0, 255) : undefined
  const text = typeof record.mac === 'number' ? byte?.toString(16).padStart(2, '0') : macText(record, fields)
  if ((record.network === undefined) !== (record.mac === undefined)) {
    fields.problem(
      'mac',
      'and network belong together: the network behind a router, and the address of the device there',
    )
  }
  return network === undefined || text === undefined ? undefined : { network, mac: Buffer.from(text, 'hex') }
}

const MAX_MAC_DIGITS = 14

function macText(record: Record<string, unknown>, fields: Fields): string | undefined {
  fields.optionalOneOf('mac', [record.mac as string])
  const { mac } = record
  if (mac === undefined) return undefined
  if (typeof mac === 'string' && mac.length <= MAX_MAC_DIGITS && /^(?:[0-9a-f]{2})+$/i.test(mac)) return mac
  fields.problem('mac', 'must be a number from 0 to 255, or 1 to 7 bytes in hexadecimal')
  return undefined
}

function parsePoint(datapoint: PointConfig, path: string, problems: Problem[]): BacnetPoint | undefined {
  const fields = fieldsOf(datapoint.data, path, problems)
  const writable = datapoint.accessType !== 'READ'
  const object = parseObject(fields)
  const property = parseProperty(datapoint.data, fields)
  const units = fields.optionalOneOf('units', [...UNITS.keys()])
  const states = parseStates(datapoint.data, fields)
  fields.rejectUnknown()
  if (object === undefined || property === undefined) return undefined

  const { type, values, isInput } = OBJECT_TYPES[object.name]
  const isPresentValue = property === PROPERTY['present-value']
  if (writable && isInput) {
    fields.problem('object', `${object.name} can only be read, but the datapoint is ${datapoint.accessType}`)
  }
  if (writable && !isPresentValue) fields.problem('property', 'only present-value can be written')
  if (units !== undefined && values !== 'analog') fields.problem('units', `${object.name} has no units`)
  if (states && values === 'analog') fields.problem('states', `${object.name} has no states`)
  if (states && values === 'binary' && states.length !== 2) {
    fields.problem('states', `${object.name} has two states: inactive first, then active`)
  }
  return {
    name: excerpt(datapoint.name),
    writable,
    object: { type, instance: object.instance },
    property,
    values: isPresentValue ? values : undefined,
    units: units === undefined ? undefined : UNITS.get(units),
    states,
  }
}

const OBJECT = /^([a-z-]{1,30}),(\d{1,7})$/

function parseObject(fields: Fields): { name: ObjectTypeName; instance: number } | undefined {
  const text = fields.text('object')
  if (text === undefined) return undefined
  const [, name = '', digits = ''] = OBJECT.exec(text) ?? []
  const instance = Number(digits)
  if (Object.hasOwn(OBJECT_TYPES, name) && instance < ANY_INSTANCE) return { name: name as ObjectTypeName, instance }
  const types = Object.keys(OBJECT_TYPES).join(', ')
  fields.problem('object', `${excerpt(text)} must be a type and an instance, such as analog-value,3; types: ${types}`)
  return undefined
}

function parseProperty(data: Record<string, unknown>, fields: Fields): number | undefined {
  if (typeof data.property === 'number') return fields.optionalInteger('property', 0, ANY_INSTANCE)
  const name = fields.oneOf('property', Object.keys(PROPERTY) as PropertyName[], 'present-value')
  return name === undefined ? undefined : PROPERTY[name]
}

const MAX_STATES = 1000

function parseStates(data: Record<string, unknown>, fields: Fields): readonly string[] | undefined {
  const { states } = data
  fields.optionalOneOf('states', [states as string])
  if (states === undefined) return undefined
  const isList = Array.isArray(states) && states.length > 0 && states.length <= MAX_STATES
  if (isList && states.every((each) => typeof each === 'string')) return states
  fields.problem('states', `must be a list of up to ${MAX_STATES} names, in the order of the object's state text`)
  return undefined
}
