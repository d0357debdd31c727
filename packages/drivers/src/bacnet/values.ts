import { Failure } from '@plantroom/contract/failure'
import type { Raw, Reading, Writable } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { decodeImage, nearestRaw, shortestDecimal } from '../modbus/codec.ts'
import type { BacnetPoint } from './config.ts'
import { describeError, PROPERTY } from './names.ts'
import type { Found } from './services.ts'
import { concat, encodeValue, type Value } from './tags.ts'
import { unitText } from './units.ts'

/** What was found at an object, by property. */
export type Properties = ReadonlyMap<number, Found>

const FAULT = 0x40
const OUT_OF_SERVICE = 0x10

/** Returns the properties that are read for a point. `isChecked`: the unit or states are known to be the commissioned ones. */
export function propertiesOf({ property, values, units, states }: BacnetPoint, isChecked: boolean): readonly number[] {
  if (!values) return [property]
  const live = [property, PROPERTY['status-flags']]
  if (isChecked) return live
  if (units !== undefined) return [...live, PROPERTY.units]
  if (!states) return live
  return [
    ...live,
    ...(values === 'binary' ? [PROPERTY['inactive-text'], PROPERTY['active-text']] : [PROPERTY['state-text']]),
  ]
}

/** Returns the flags of an object that has a fault. Its present value then means nothing. */
export const isFaulty = (properties: Properties) => (flagsOf(properties) & FAULT) !== 0

function flagsOf(properties: Properties): number {
  const flags = properties.get(PROPERTY['status-flags'])
  const [value] = flags && 'values' in flags ? (flags.values ?? []) : []
  // The first byte says how many bits are unused.
  return value?.tag === 'bits' ? (value.value[1] ?? 0) : 0
}

/** Returns the reading of a point. `fault` says what is wrong with the object, if that was read. */
export function toReading(point: BacnetPoint, properties: Properties, fault = ''): Reading {
  const found = properties.get(point.property)
  if (!found) return { error: 'the device did not answer for this property' }
  if ('error' in found) return { error: `the device ${describeError(found.error)}` }
  const [value] = found.values ?? []
  const reading = value && found.values?.length === 1 ? decode(value) : { error: 'the property is not a number' }
  if (!point.values) return reading
  const problem = problemOf(properties, fault) ?? mismatchOf(point, properties)
  if (problem === undefined) return reading
  return { error: problem, ...(reading.image !== undefined && { image: reading.image }) }
}

function problemOf(properties: Properties, fault: string): string | undefined {
  const flags = flagsOf(properties)
  if (flags & OUT_OF_SERVICE) return 'the object is out of service: its value is not that of the equipment'
  return flags & FAULT ? `the object reports a fault${fault && `: ${fault}`}` : undefined
}

/** Returns how the unit or the states of an object differ from the commissioned ones. */
function mismatchOf(point: BacnetPoint, properties: Properties): string | undefined {
  const { units, states, values } = point
  const shown = (name: keyof typeof PROPERTY) => {
    const found = properties.get(PROPERTY[name])
    return found && 'values' in found ? found.values : undefined
  }
  const [unit] = shown('units') ?? []
  if (units !== undefined && unit?.tag === 'enumerated' && unit.value !== units) {
    return `the object is in ${unitText(unit.value)}, but was commissioned in ${unitText(units)}`
  }
  const names =
    values === 'binary' ? [...(shown('inactive-text') ?? []), ...(shown('active-text') ?? [])] : shown('state-text')
  if (!states || !names || names.length === 0) return undefined
  const texts = names.map((each) => (each.tag === 'text' ? each.value : ''))
  if (texts.length === states.length && texts.every((text, index) => text === states[index])) return undefined
  return `the states of the object are ${excerpt(texts.join(', '))}, but it was commissioned with ${excerpt(states.join(', '))}`
}

/** Returns the number that a value is. */
export function decode(value: Value): Reading {
  switch (value.tag) {
    case 'boolean':
      return { raw: value.value ? 1 : 0 }
    case 'unsigned':
    case 'signed':
    case 'enumerated':
      if (Number.isSafeInteger(value.value)) return { raw: value.value }
      return { error: `${value.value} is too large to be exact` }
    case 'double':
      return Number.isFinite(value.value) ? { raw: value.value } : { error: `the object holds ${value.value}` }
    case 'real':
      return decodeReal(value.value)
    default:
      return { error: `the object holds a value of type ${value.tag}` }
  }
}

function decodeReal(value: number): Reading {
  const image = () => Buffer.from(encodeValue({ tag: 'real', value }).subarray(1)).toString('hex')
  if (!Number.isFinite(value)) return { error: `the object holds ${value}`, image: image() }
  return Object.is(value, -0) ? { raw: 0, image: image() } : { raw: shortestDecimal(value) }
}

/** Returns the value closest to `raw` that the object can hold. Throws a `Failure` of kind `rejected` if none fits. */
export function nearestValue({ values, states }: BacnetPoint, raw: number): Raw {
  if (values === 'analog') return nearestRaw('float32', raw)
  if (values === 'binary') return nearestRaw('bool', raw)
  const state = Math.round(raw)
  const last = states?.length ?? 2 ** 32 - 1
  if (state >= 1 && state <= last) return state
  const named = states?.map((name, index) => `${index + 1} ${name}`).join(', ') ?? 'whole numbers from 1 on'
  throw new Failure('rejected', `${raw} is not a state of the object: its states are ${excerpt(named, 300)}`)
}

const REAL_TAG = 0x44

/** Encodes a value for the present value of an object. */
export function encodePresentValue(point: BacnetPoint, value: Writable): Uint8Array {
  if (typeof value === 'object') {
    if (point.values !== 'analog') throw new Failure('rejected', `${point.name} has no image`)
    return concat([REAL_TAG], decodeImage('float32', value.image))
  }
  const raw = Number(nearestValue(point, Number(value)))
  if (point.values === 'analog') return encodeValue({ tag: 'real', value: raw })
  return encodeValue({ tag: point.values === 'binary' ? 'enumerated' : 'unsigned', value: raw })
}
