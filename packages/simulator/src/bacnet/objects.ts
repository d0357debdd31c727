import { enumerated, Malformed, object, real, TAG, text, unsigned, value, wholeNumber } from './encoding.ts'

/** An object of a simulated device. Only commandable objects take values: at 16 priorities, of which the first that is set wins. */
export interface BacnetObject {
  type: number
  instance: number
  kind: 'analog' | 'binary' | 'states'
  name: string
  units: number
  bounds: { min: number; max: number } | undefined
  /** `undefined` for an input. */
  slots: (number | undefined)[] | undefined
  /** What it holds when no priority is set. */
  relinquishDefault: number
}

const TYPES: Readonly<Record<string, readonly [type: number, kind: BacnetObject['kind'], isInput: boolean]>> = {
  'analog-input': [0, 'analog', true],
  'analog-output': [1, 'analog', false],
  'analog-value': [2, 'analog', false],
  'binary-input': [3, 'binary', true],
  'binary-output': [4, 'binary', false],
  'binary-value': [5, 'binary', false],
  'multi-state-input': [13, 'states', true],
  'multi-state-output': [14, 'states', false],
  'multi-state-value': [19, 'states', false],
}

/** Codes of engineering units; 95 is none. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ '°C': 62, K: 63, '%': 98, ppm: 96, 'm³/h': 135, 'l/h': 136, Pa: 53, kPa: 54, bar: 55, lx: 37 },
  ...{ W: 47, kW: 48, Wh: 18, kWh: 19, V: 5, A: 3, Hz: 27, rpm: 104, s: 73 },
}
const NO_UNITS = 95
const PRIORITIES = 16

interface About {
  /** Such as `analog-value,3`. */
  id: string
  name: string
  unit: string | undefined
  bounds: { min: number; max: number } | undefined
  start: number
}

export function createObject({ id, name, unit = '', bounds, start }: About): BacnetObject {
  const [typeName = '', instance] = id.split(',')
  const found = TYPES[typeName]
  if (!found) throw new Error(`${id} cannot be simulated`)
  const [type, kind, isInput] = found
  return {
    ...{ type, instance: Number(instance), kind, name, bounds },
    units: UNITS[unit] ?? NO_UNITS,
    slots: isInput ? undefined : Array.from({ length: PRIORITIES }, () => undefined),
    relinquishDefault: start,
  }
}

export const presentValue = ({ slots, relinquishDefault }: BacnetObject): number =>
  slots?.find((slot) => slot !== undefined) ?? relinquishDefault

const NULL = value(TAG.null, Buffer.alloc(0))
const TAGS = { analog: TAG.real, binary: TAG.enumerated, states: TAG.unsigned } as const

function encodeOwn({ kind }: BacnetObject, number: number): Buffer {
  if (kind === 'analog') return real(number)
  return kind === 'binary' ? enumerated(number) : unsigned(number)
}

/** Returns a property, encoded; `undefined` for one that the object does not have. */
export function propertyOf(found: BacnetObject, property: number): Buffer | undefined {
  const { type, instance, kind, name, units, bounds, slots, relinquishDefault } = found
  const own: Readonly<Record<number, () => Buffer | undefined>> = {
    4: () => (kind === 'binary' ? text('on') : undefined),
    46: () => (kind === 'binary' ? text('off') : undefined),
    65: () => (kind === 'analog' && bounds ? real(bounds.max) : undefined),
    69: () => (kind === 'analog' && bounds ? real(bounds.min) : undefined),
    74: () => (kind === 'states' ? unsigned(bounds?.max ?? 3) : undefined),
    75: () => object(type, instance),
    77: () => text(name),
    79: () => enumerated(type),
    85: () => encodeOwn(found, presentValue(found)),
    87: () => slots && Buffer.concat(slots.map((slot) => (slot === undefined ? NULL : encodeOwn(found, slot)))),
    103: () => enumerated(0),
    104: () => (slots ? encodeOwn(found, relinquishDefault) : undefined),
    111: () => value(TAG.bits, Buffer.of(4, 0)),
    117: () => (kind === 'analog' ? enumerated(units) : undefined),
  }
  return own[property]?.()
}

export const ERROR = {
  unknownObject: [1, 31],
  unknownProperty: [2, 32],
  invalidDataType: [2, 9],
  valueOutOfRange: [2, 37],
  writeAccessDenied: [2, 40],
} as const
export type BacnetError = (typeof ERROR)[keyof typeof ERROR]

/** Writes the present value at a priority; null gives the priority back. Returns why not. */
export function writeProperty(
  { kind, slots }: BacnetObject,
  property: number,
  { tag, contents }: { tag: number; contents: Buffer },
  priority: number,
): BacnetError | undefined {
  if (property !== 85 || !slots) return ERROR.writeAccessDenied
  if (priority < 1 || priority > PRIORITIES) return ERROR.valueOutOfRange
  if (tag === TAG.null) slots[priority - 1] = undefined
  else if (tag !== TAGS[kind]) return ERROR.invalidDataType
  else if (kind === 'binary' && wholeNumber(contents) > 1) return ERROR.valueOutOfRange
  else slots[priority - 1] = kind === 'analog' ? realIn(contents) : wholeNumber(contents)
  return undefined
}

function realIn(contents: Buffer): number {
  if (contents.length !== 4) throw new Malformed('has a real number that is not 4 bytes long')
  // 16.1 comes as the float next to it.
  return Number(contents.readFloatBE().toPrecision(7))
}
