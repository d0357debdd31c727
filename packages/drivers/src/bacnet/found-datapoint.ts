import type { FoundDatapoint } from '@plantroom/contract/discovery'
import { excerpt } from '../excerpt.ts'
import { DESCRIBING, OBJECT_TYPES, type ObjectTypeName, objectText, objectTypeName, PROPERTY } from './names.ts'
import type { ObjectId, Value } from './tags.ts'
import { shortUnit, unitName } from './units.ts'
import { decode, type Properties } from './values.ts'

const NO_UNITS = 95
const ON_OFF = 'on/off'
const LONGEST_NAME = 200
/** Of a datapoint. */
const LONGEST_UNIT = 32
const MAX_STATES = 1000

/** Returns the properties that describe an object of this type. */
export function propertiesOfObject({ type }: ObjectId): readonly number[] {
  const { values, isInput } = typeOf(type)
  return [
    ...[PROPERTY['object-name'], DESCRIBING.description, PROPERTY['present-value'], PROPERTY['status-flags']],
    ...(values === 'analog' ? [PROPERTY.units] : []),
    ...(values === 'analog' && !isInput ? [PROPERTY['min-pres-value'], PROPERTY['max-pres-value']] : []),
    ...(values === 'binary' ? [PROPERTY['inactive-text'], PROPERTY['active-text']] : []),
    ...(values === 'states' ? [PROPERTY['number-of-states'], PROPERTY['state-text']] : []),
    ...(isInput ? [] : [PROPERTY['priority-array']]),
  ]
}

const typeOf = (type: number) => OBJECT_TYPES[objectTypeName(type) as ObjectTypeName]

/** Returns an object as a datapoint of a commissioning file. It can be written only where its bounds are known. */
export function foundDatapoint(object: ObjectId, properties: Properties): FoundDatapoint {
  const { values, isInput } = typeOf(object.type)
  const listed = (property: number): readonly Value[] => {
    const found = properties.get(property)
    return found && 'values' in found ? (found.values ?? []) : []
  }
  const text = (property: number) => {
    const [value] = listed(property)
    return value?.tag === 'text' ? excerpt(value.value, LONGEST_NAME) : ''
  }
  const number = (property: number) => {
    const [value] = listed(property)
    const reading = value && decode(value)
    return reading && 'raw' in reading ? Number(reading.raw) : undefined
  }
  const warnings: string[] = []
  const described =
    values === 'analog'
      ? describeAnalog({ unit: number(PROPERTY.units), warnings })
      : describeStates(values, { listed, size: number(PROPERTY['number-of-states']), warnings })
  const isCommandable = !isInput && listed(PROPERTY['priority-array']).length > 0
  const bounds =
    values === 'analog'
      ? boundsOf(number(PROPERTY['min-pres-value']), number(PROPERTY['max-pres-value']))
      : described.bounds
  if (isCommandable && !bounds) {
    warnings.push(
      'takes setpoints, but does not say within which bounds: to write it, set accessType READ_WRITE and writeInputData',
    )
  }
  const flags = listed(PROPERTY['status-flags'])[0]
  if (flags?.tag === 'bits' && ((flags.value[1] ?? 0) & FAULT_OR_OUT_OF_SERVICE) !== 0) {
    warnings.push('has a fault or is out of service: its value is not that of the equipment')
  }
  const description = text(DESCRIBING.description)
  return {
    name: text(PROPERTY['object-name']).trim() || objectText(object),
    accessType: isCommandable && bounds ? 'READ_WRITE' : 'READ',
    data: { object: objectText(object), ...described.data },
    ...(described.unit !== undefined && { unit: described.unit }),
    ...(isCommandable && bounds && { writeInputData: bounds }),
    ...(isCommandable && { commandable: true }),
    raw: number(PROPERTY['present-value']) ?? null,
    ...(description && { description }),
    warnings,
  }
}

const FAULT_OR_OUT_OF_SERVICE = 0x50

interface Described {
  unit?: string
  data?: Record<string, unknown>
  bounds?: { min: number; max: number } | undefined
}

function describeAnalog({ unit, warnings }: { unit: number | undefined; warnings: string[] }): Described {
  const name = unit === undefined ? undefined : unitName(unit)
  if (unit === NO_UNITS || unit === undefined) warnings.push('says no unit: add it where it has one')
  else if (name === undefined) warnings.push(`has the unit ${unit}, which is not in the standard: add it in words`)
  if (unit === NO_UNITS || name === undefined) return {}
  const short = shortUnit(name)
  return { ...(short.length <= LONGEST_UNIT && { unit: short }), data: { units: name } }
}

/** A range that makes sense: some devices say the largest numbers there are. */
function boundsOf(min: number | undefined, max: number | undefined) {
  const isReal = (value: number | undefined): value is number => value !== undefined && Math.abs(value) < 1e9
  return isReal(min) && isReal(max) && min < max ? { min, max } : undefined
}

function describeStates(
  kind: 'binary' | 'states',
  {
    listed,
    size,
    warnings,
  }: { listed: (property: number) => readonly Value[]; size: number | undefined; warnings: string[] },
): Described {
  const properties = kind === 'binary' ? [PROPERTY['inactive-text'], PROPERTY['active-text']] : [PROPERTY['state-text']]
  const states = properties.flatMap(listed).flatMap((value) => (value.tag === 'text' ? [value.value] : []))
  const isNamed = states.length > 0 && states.length <= MAX_STATES && (kind === 'states' || states.length === 2)
  const data = isNamed ? { data: { states } } : {}
  if (kind === 'binary') return { unit: ON_OFF, bounds: { min: 0, max: 1 }, ...data }
  const count = isNamed ? states.length : size
  if (!isNamed) warnings.push('has states without names')
  const isCounted = count !== undefined && count > 1 && count <= MAX_STATES
  return { ...data, ...(isCounted && { bounds: { min: 1, max: count } }) }
}
