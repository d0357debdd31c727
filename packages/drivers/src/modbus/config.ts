import type { PointConfig, Problem } from '../driver.ts'
import { type Fields, fieldsOf } from '../fields.ts'

const TABLES = ['holding', 'input', 'coil', 'discrete'] as const
export type Table = (typeof TABLES)[number]

/** The number of 16-bit registers that a value of each type takes. */
export const REGISTERS_OF = {
  int16: 1,
  uint16: 1,
  int32: 2,
  uint32: 2,
  int64: 4,
  uint64: 4,
  float32: 2,
  float64: 4,
  bool: 1,
} as const
export type ValueType = keyof typeof REGISTERS_OF
const VALUE_TYPES = Object.keys(REGISTERS_OF) as readonly ValueType[]

/**
 * The byte order of a value, shown for four bytes. `ABCD` is big-endian; `CDAB` swaps the registers, `BADC` the two
 * bytes of each register, `DCBA` both.
 */
export const WORD_ORDERS = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
export type WordOrder = (typeof WORD_ORDERS)[number]

const WRITE_FUNCTIONS = [5, 6, 15, 16] as const
export type WriteFunction = (typeof WRITE_FUNCTIONS)[number]

/** Reads how the units of a connection are addressed, which differs between the protocols of the Modbus family. */
export interface AddressParser<Address> {
  readonly unitIds: { first: number; last: number }
  /** Reads the fields of the settings that address the endpoint. */
  parseAddress(fields: Fields): Address
}

export interface ModbusSettings {
  unitId: number
  timeoutMs: number
  connectDelayMs: number
  interFrameDelayMs: number
  maxRegistersPerRead: number
  maxGap: number
}

export interface ModbusPoint {
  name: string
  writable: boolean
  table: Table
  register: number
  /** The number of addresses that the value takes. */
  width: number
  type: ValueType
  wordOrder: WordOrder
  /** The bit of the register that holds the value. */
  bit: number | undefined
  writeFunction: WriteFunction
}

export interface ModbusConfig<Address> {
  address: Address
  settings: ModbusSettings
  points: readonly ModbusPoint[]
}

export const isBitTable = (table: Table) => table === 'coil' || table === 'discrete'

const MAX_REGISTERS = 125
const ADDRESSES = 65_536

/** Checks and parses a commissioned connection. The config is complete only if there are no problems. */
export function parseConfig<Address>(
  connection: { settings: Record<string, unknown>; datapoints: readonly PointConfig[] },
  medium: AddressParser<Address>,
): {
  config: ModbusConfig<Address>
  problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const fields = fieldsOf(connection.settings, 'settings', problems)
  const { address, settings } = parseSettings(fields, medium)
  fields.rejectUnknown()
  const points = connection.datapoints.flatMap((datapoint, index) => {
    const point = parsePoint(datapoint, `datapoints[${index}].data`, settings.maxRegistersPerRead, problems)
    return point ? [point] : []
  })
  return { config: { address, settings, points }, problems }
}

/** Reads the settings of every protocol that uses Modbus. */
export function parseSettings<Address>(
  fields: Fields,
  { parseAddress, unitIds }: AddressParser<Address>,
  { maxGap = 8 } = {},
): { address: Address; settings: ModbusSettings } {
  const address = parseAddress(fields)
  const settings = {
    unitId: fields.integer('unitId', unitIds.first, unitIds.last, 1) ?? 1,
    timeoutMs: fields.integer('timeoutMs', 1, 60_000, 1000) ?? 1000,
    connectDelayMs: fields.integer('connectDelayMs', 0, 60_000, 0) ?? 0,
    interFrameDelayMs: fields.integer('interFrameDelayMs', 0, 10_000, 0) ?? 0,
    maxRegistersPerRead: fields.integer('maxRegistersPerRead', 1, MAX_REGISTERS, MAX_REGISTERS) ?? MAX_REGISTERS,
    maxGap: fields.integer('maxGap', 0, MAX_REGISTERS - 1, maxGap) ?? maxGap,
  }
  // The edge polls; the driver only checks the field.
  fields.number('pollSeconds', 0.1, 86_400, 1)
  return { address, settings }
}

function parsePoint(
  datapoint: PointConfig,
  path: string,
  maxRegistersPerRead: number,
  problems: Problem[],
): ModbusPoint | undefined {
  const fields = fieldsOf(datapoint.data, path, problems)
  const writable = datapoint.accessType !== 'READ'

  const register = fields.integer('register', 0, ADDRESSES - 1)
  const table = fields.oneOf('table', TABLES, 'holding')
  const bits = table !== undefined && isBitTable(table)
  const type = fields.oneOf('type', VALUE_TYPES, bits ? 'bool' : undefined)
  const wordOrder = fields.oneOf('wordOrder', WORD_ORDERS, 'ABCD')
  const bit = fields.optionalInteger('bit', 0, 15)
  const writeFunction = fields.optionalOneOf('writeFunction', WRITE_FUNCTIONS)
  fields.rejectUnknown()

  if (writable && (table === 'input' || table === 'discrete')) {
    fields.problem('table', `${table} can only be read, but the datapoint is ${datapoint.accessType}`)
  }
  if (type === undefined || table === undefined) return undefined

  if (bits) {
    if (type !== 'bool') fields.problem('type', `${type} is not valid for table ${table}: its values are of type bool`)
    if (bit !== undefined) fields.problem('bit', `${bit} has no meaning in table ${table}: each address is one bit`)
    if (datapoint.data.wordOrder !== undefined) {
      fields.problem('wordOrder', `${wordOrder} has no meaning in table ${table}: it has no registers`)
    }
  }

  const width = bits ? 1 : REGISTERS_OF[type]
  if (bit !== undefined && !bits) {
    if (width > 1) fields.problem('bit', `${bit} needs a 16-bit type (int16, uint16 or bool), not ${type}`)
    // Writing a bit through its register would reset its 15 neighbours to their last known values.
    if (writable) fields.problem('bit', `${bit} can only be read: writing it would overwrite the rest of the register`)
  }
  if (register !== undefined && register + width > ADDRESSES) {
    fields.problem('register', `${register} leaves no room for ${type}: it takes ${width} registers up to 65535`)
  }
  if (width > maxRegistersPerRead) {
    fields.problem(
      'type',
      `${type} takes ${width} registers, but settings.maxRegistersPerRead is ${maxRegistersPerRead}`,
    )
  }

  const suitable: readonly WriteFunction[] = bits ? [5, 15] : width === 1 ? [6, 16] : [16]
  if (writeFunction !== undefined && !suitable.includes(writeFunction)) {
    const what = bits ? `table ${table}` : `type ${type}`
    fields.problem('writeFunction', `${writeFunction} is not valid for ${what}: must be one of: ${suitable.join(', ')}`)
  }

  if (register === undefined || wordOrder === undefined) return undefined
  return {
    name: datapoint.name,
    writable,
    table,
    register,
    width,
    type,
    wordOrder,
    bit,
    writeFunction: writeFunction ?? (bits ? 5 : width === 1 ? 6 : 16),
  }
}
