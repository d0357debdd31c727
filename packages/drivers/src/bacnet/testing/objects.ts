import type { PropertyName } from '../names.ts'
import { DESCRIBING, OBJECT_TYPES, type ObjectTypeName, PROPERTY } from '../names.ts'
import { concat, encodeValue, type ObjectId, type Value } from '../tags.ts'
import { UNITS } from '../units.ts'

/** An object of the simulated device. */
export interface SimulatedObject {
  id: ObjectId
  kind: 'analog' | 'binary' | 'states'
  /** The priority array; `undefined` for an object without one, which holds `fallback`. */
  slots: (number | undefined)[] | undefined
  /** The relinquish default, or the value of an object without priorities. */
  fallback: number
  units: string
  states: string[]
  isOutOfService: boolean
  reliability: number
  /** Takes NULL and keeps its value. */
  ignoresNull: boolean
  /** Refuses writes. */
  isLocked: boolean
  /** Properties that only some devices show; none where they are not stated. */
  name?: string
  description?: string
  range?: readonly [min: number, max: number]
  /** Gives no answer to a request that names it. */
  isSilent: boolean
}

export function simulatedObject(text: string, about: Partial<SimulatedObject> = {}): SimulatedObject {
  const [name = '', instance] = text.split(',')
  const { type, values, isInput } = OBJECT_TYPES[name as ObjectTypeName]
  const isCommandable = !isInput
  return {
    id: { type, instance: Number(instance) },
    kind: values,
    slots: isCommandable ? Array.from({ length: 16 }, () => undefined) : undefined,
    fallback: 0,
    units: 'degrees-celsius',
    states: values === 'binary' ? ['Off', 'On'] : ['Off', 'Low', 'High'],
    isOutOfService: false,
    reliability: 0,
    ignoresNull: false,
    isLocked: false,
    isSilent: false,
    ...about,
  }
}

export const presentValue = ({ slots, fallback }: SimulatedObject): number =>
  slots?.find((value) => value !== undefined) ?? fallback

const TAG_OF = { analog: 'real', binary: 'enumerated', states: 'unsigned' } as const

const encodeOwn = ({ kind }: SimulatedObject, value: number) => encodeValue({ tag: TAG_OF[kind], value })
const encodeText = (value: string) => encodeValue({ tag: 'text', value })

/** Returns what a property holds, encoded; `undefined` for one that the object does not have. */
export function encodeProperty(object: SimulatedObject, property: number): Uint8Array | undefined {
  const { kind, slots, states } = object
  if (property === DESCRIBING.description)
    return object.description === undefined ? undefined : encodeText(object.description)
  const names = Object.keys(PROPERTY) as PropertyName[]
  switch (names.find((name) => PROPERTY[name] === property)) {
    case 'present-value':
      return encodeOwn(object, presentValue(object))
    case 'status-flags': {
      const flags = (object.reliability === 0 ? 0 : 0x40) | (object.isOutOfService ? 0x10 : 0)
      return encodeValue({ tag: 'bits', value: Uint8Array.of(4, flags) })
    }
    case 'reliability':
      return encodeValue({ tag: 'enumerated', value: object.reliability })
    case 'priority-array':
      return slots && concat(...slots.map((value) => (value === undefined ? NULL : encodeOwn(object, value))))
    case 'object-name':
      return object.name === undefined ? undefined : encodeText(object.name)
    case 'min-pres-value':
      return object.range && encodeValue({ tag: 'real', value: object.range[0] })
    case 'max-pres-value':
      return object.range && encodeValue({ tag: 'real', value: object.range[1] })
    case 'number-of-states':
      return kind === 'states' ? encodeValue({ tag: 'unsigned', value: states.length }) : undefined
    case 'units':
      return kind === 'analog' ? encodeValue({ tag: 'enumerated', value: UNITS.get(object.units) ?? 95 }) : undefined
    case 'state-text':
      return kind === 'states' ? concat(...states.map(encodeText)) : undefined
    case 'inactive-text':
      return kind === 'binary' ? encodeText(states[0] ?? '') : undefined
    case 'active-text':
      return kind === 'binary' ? encodeText(states[1] ?? '') : undefined
    default:
      return undefined
  }
}

const NULL = encodeValue({ tag: 'null' })

/** Writes the present value. Returns the code of an error if the object does not take it. */
export function writeProperty(
  object: SimulatedObject,
  property: number,
  value: Value,
  priority: number,
): number | undefined {
  if (object.isLocked || property !== PROPERTY['present-value']) return 40
  const { slots } = object
  if (value.tag === 'null') {
    if (slots && !object.ignoresNull) slots[priority - 1] = undefined
    return slots ? undefined : 9
  }
  if (value.tag !== TAG_OF[object.kind]) return 9
  if (object.kind === 'states' && (value.value < 1 || value.value > object.states.length)) return 37
  if (slots) slots[priority - 1] = value.value
  else object.fallback = value.value
  return undefined
}
