import { Failure } from '@plantroom/contract/failure'
import type { Raw, Reading } from '../driver.ts'
import { decoderOf, encodeRegisters, nearestRaw } from '../modbus/codec.ts'
import { REGISTERS_OF, type ValueType as WireType } from '../modbus/config.ts'

interface TypeDefinition {
  wire: WireType
  width: number
  isAbsent(value: Raw): boolean
}

const type = (wire: WireType, isAbsent: (value: Raw) => boolean): TypeDefinition => ({
  wire,
  width: REGISTERS_OF[wire],
  isAbsent,
})
const is = (absent: Raw) => (value: Raw) => value === absent
const either = (one: Raw, other: Raw) => (value: Raw) => value === one || value === other
const never = () => false
const isNaNValue = (value: Raw) => Number.isNaN(value)

/**
 * The types of the standard, and the values that stand for "not implemented". For a bitfield, editions of the standard
 * differ: all bits, or the first alone. The standard's 0 of an accumulator is also what a new meter shows, so that it is a
 * number here.
 */
export const TYPES = {
  int16: type('int16', is(-(2 ** 15))),
  uint16: type('uint16', is(2 ** 16 - 1)),
  acc16: type('uint16', never),
  enum16: type('uint16', is(2 ** 16 - 1)),
  bitfield16: type('uint16', either(2 ** 16 - 1, 2 ** 15)),
  count: type('uint16', is(2 ** 16 - 1)),
  sunssf: type('int16', is(-(2 ** 15))),
  int32: type('int32', is(-(2 ** 31))),
  uint32: type('uint32', is(2 ** 32 - 1)),
  acc32: type('uint32', never),
  enum32: type('uint32', is(2 ** 32 - 1)),
  bitfield32: type('uint32', either(2 ** 32 - 1, 2 ** 31)),
  int64: type('int64', is(-(2n ** 63n))),
  uint64: type('uint64', is(2n ** 64n - 1n)),
  acc64: type('uint64', never),
  bitfield64: type('uint64', either(2n ** 64n - 1n, 2n ** 63n)),
  float32: type('float32', isNaNValue),
  float64: type('float64', isNaNValue),
} as const satisfies Record<string, TypeDefinition>
export type ValueType = keyof typeof TYPES

export const isValueType = (name: string): name is ValueType => Object.hasOwn(TYPES, name)

export const NOT_IMPLEMENTED = 'not implemented by the device'
const MAX_SCALE = 10

const encodingOf = (name: ValueType) => ({ type: TYPES[name].wire, wordOrder: 'ABCD', bit: undefined }) as const

/** Reads a value at byte offset `at` without its scale factor. */
export function readUnscaled(name: ValueType, wire: DataView, at: number): Reading {
  const value = decoderOf(encodingOf(name))(wire, at)
  if (TYPES[name].isAbsent(value)) return { error: NOT_IMPLEMENTED }
  if (typeof value === 'number' && !Number.isFinite(value)) return { error: `the register holds ${value}` }
  // Negative zero means nothing here.
  return { raw: value === 0 ? 0 : value }
}

/** Checks what the scale factor `name` holds. */
export function checkScale(name: string, scale: number): { scale: number } | { error: string } {
  if (Math.abs(scale) <= MAX_SCALE) return { scale }
  const problem = TYPES.sunssf.isAbsent(scale) ? `is ${NOT_IMPLEMENTED}` : `is ${scale}: it must be from -10 to 10`
  return { error: `its scale factor ${name} ${problem}` }
}

/** Returns the value times ten to the power of `scale`, as exactly as a number can be. */
export function applyScale(value: Raw, scale: number): Raw {
  if (scale === 0) return value
  if (typeof value === 'bigint') {
    return scale > 0 ? value * 10n ** BigInt(scale) : Number(value) / 10 ** -scale
  }
  // Dividing gives the number closest to the decimal: 3 / 10 is 0.3, and 3 * 0.1 is not.
  return scale > 0 ? value * 10 ** scale : value / 10 ** -scale
}

/** Returns what the register of this type must hold for `raw`. Throws a `Failure` of kind `rejected` if nothing fits. */
export function toRegister(name: ValueType, raw: number, scale: number): Raw {
  const { wire, isAbsent } = TYPES[name]
  const scaled = scale > 0 ? raw / 10 ** scale : raw * 10 ** -scale
  // 33.3 * 10 may be 332.99999999999994.
  const value = nearestRaw(wire, Number.isFinite(scaled) ? Number(scaled.toPrecision(15)) : raw)
  if (isAbsent(value))
    throw new Failure('rejected', `${raw} cannot be written: its register would mean "not implemented"`)
  return value
}

export const encodeRegister = (name: ValueType, value: Raw): Uint8Array => encodeRegisters(encodingOf(name), value)
