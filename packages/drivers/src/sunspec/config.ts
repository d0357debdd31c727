import type { CheckedConnection, PointConfig, Problem } from '../driver.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import { type ModbusSettings, parseSettings } from '../modbus/config.ts'
import type { Medium } from '../modbus/medium.ts'
import { parseUnitList } from '../modbus/unit-list.ts'
import { type DefinedPoint, findPoint } from './layout.ts'
import { isValueType, type ValueType } from './values.ts'

export interface SunspecPoint extends DefinedPoint {
  name: string
  /** The unit id of its device. */
  unitId: number
  /** Which of several models of that number, from 1. */
  instance: number
  type: ValueType
  writable: boolean
}

export interface SunspecConfig<Address> {
  address: Address
  settings: ModbusSettings
  /** The devices behind the address. */
  unitIds: readonly number[]
  /** The address of the models, if the file gives it. */
  baseAddress: number | undefined
  /** After how many seconds without us the device ends our controls; 0 for never. */
  revertSeconds: number
  points: readonly SunspecPoint[]
}

const MAX_INSTANCE = 100
/** A timer is armed again after a third of its time, which must be enough for a slow line. */
const MIN_REVERT_SECONDS = 15
/** Most timers have 16 bits. */
const MAX_REVERT_SECONDS = 65_534
/** Reading a few registers too many takes less time than another request. */
const MAX_GAP = 30

/** Checks and parses a commissioned connection. The config is complete only if there are no problems. */
export function parseConfig<Address>(
  { settings: record, datapoints }: CheckedConnection,
  medium: Medium<Address>,
): { config: SunspecConfig<Address>; problems: readonly Problem[] } {
  const problems: Problem[] = []
  const fields = fieldsOf(record, 'settings', problems)
  const { address, settings } = parseSettings(fields, medium, { maxGap: MAX_GAP })
  const baseAddress = fields.optionalInteger('baseAddress', 0, 65_000)
  const revertSeconds = fields.integer('revertSeconds', 0, MAX_REVERT_SECONDS, 120) ?? 120
  if (revertSeconds > 0 && revertSeconds < MIN_REVERT_SECONDS) {
    fields.problem('revertSeconds', `${revertSeconds} must be 0 or at least ${MIN_REVERT_SECONDS}`)
  }
  const unitIds = parseUnitIds(record, settings, fields, medium)
  fields.rejectUnknown()
  const points = datapoints.flatMap((datapoint, index) => {
    const point = parsePoint(datapoint, `datapoints[${index}].data`, unitIds, problems)
    return point ? [point] : []
  })
  return { config: { address, settings, unitIds, baseAddress, revertSeconds, points }, problems }
}

/** Returns the devices behind the address: `unitIds`, or the one `unitId`. */
function parseUnitIds<Address>(
  { unitId, unitIds }: Record<string, unknown>,
  settings: ModbusSettings,
  fields: Fields,
  medium: Medium<Address>,
): readonly number[] {
  fields.known('unitIds')
  if (unitIds === undefined) return [settings.unitId]
  if (unitId !== undefined) fields.problem('unitIds', 'stands instead of unitId: give only one of them')
  const units = parseUnitList(unitIds, medium.unitIds)
  if (!('problem' in units)) return units
  fields.problem('unitIds', units.problem)
  return [settings.unitId]
}

/** Returns the device of a point, which a file must name where there are several. */
function parseUnit(fields: Fields, units: readonly number[]): number | undefined {
  const given = fields.optionalInteger('unitId', 0, 255)
  const [first] = units
  if (given === undefined && units.length === 1) return first
  if (given !== undefined && units.includes(given)) return given
  const problem = given === undefined ? 'is missing: it says which of the devices' : `${given} is none of the devices`
  fields.problem('unitId', `${problem} ${units.join(', ')} has the point`)
  return undefined
}

function parsePoint(
  { name, accessType, data }: PointConfig,
  path: string,
  unitIds: readonly number[],
  problems: Problem[],
): SunspecPoint | undefined {
  const fields = fieldsOf(data, path, problems)
  const unitId = parseUnit(fields, unitIds)
  const model = fields.integer('model', 1, 65_534)
  const instance = fields.integer('instance', 1, MAX_INSTANCE, 1) ?? 1
  const point = fields.text('point')
  fields.rejectUnknown()
  if (unitId === undefined || model === undefined || point === undefined) return undefined
  const found = findPoint(model, point)
  if ('message' in found) {
    fields.problem(found.path, found.message)
    return undefined
  }
  const { type } = found.definition
  if (!isValueType(type)) {
    fields.problem('point', `${point} is text: only numbers can be datapoints`)
    return undefined
  }
  const writable = accessType !== 'READ'
  if (writable && !found.definition.writable) {
    fields.problem('point', `${point} can only be read, but the datapoint is ${accessType}`)
  }
  return { ...found, name, unitId, instance, type, writable }
}
