import { Failure } from '@plantroom/contract/failure'
import type { Raw } from '../driver.ts'
import { type ModbusPoint, REGISTERS_OF, type ValueType, type WordOrder } from './config.ts'

type Encoding = Pick<ModbusPoint, 'type' | 'wordOrder' | 'bit'>

/** The raw value in the bytes of its registers, as they came over the wire. A `bool` and a bit are 0 or 1. */
export function decodeRegisters(encoding: Encoding, wire: Uint8Array): Raw {
  const view = viewOf(reordered(wire, encoding.wordOrder))
  if (encoding.bit !== undefined) return (view.getUint16(0) >> encoding.bit) & 1
  switch (encoding.type) {
    case 'bool':
      return view.getUint16(0) === 0 ? 0 : 1
    case 'int16':
      return view.getInt16(0)
    case 'uint16':
      return view.getUint16(0)
    case 'int32':
      return view.getInt32(0)
    case 'uint32':
      return view.getUint32(0)
    case 'int64':
      return view.getBigInt64(0)
    case 'uint64':
      return view.getBigUint64(0)
    case 'float32':
      return shortestDecimal(view.getFloat32(0))
    case 'float64':
      return view.getFloat64(0)
  }
}

/**
 * The bytes of the registers that hold `raw`, as they go over the wire. A value that does not fit the
 * type is refused: nothing is wrapped, cut or clamped. A float32 takes the nearest value it has.
 */
export function encodeRegisters(encoding: Encoding, raw: Raw): Uint8Array {
  const { type } = encoding
  const bytes = new Uint8Array(REGISTERS_OF[type] * 2)
  const view = viewOf(bytes)
  switch (type) {
    case 'bool':
      view.setUint16(0, encodeBit(raw) ? 1 : 0)
      break
    case 'float32':
    case 'float64': {
      const value = wholeFloat(type, raw)
      if (type === 'float32') view.setFloat32(0, value)
      else view.setFloat64(0, value)
      break
    }
    default:
      writeInteger(view, type, wholeInteger(type, raw))
  }
  return reordered(bytes, encoding.wordOrder)
}

/** What a register of this type reads back when it was asked to hold `raw`. What is out of its range is refused. */
export function nearestRaw(type: ValueType, raw: number): Raw {
  switch (type) {
    case 'bool':
      // Not rounded: who asks a switch for a half did not mean on.
      return encodeBit(raw) ? 1 : 0
    case 'float32':
      return shortestDecimal(Math.fround(wholeFloat(type, raw)))
    case 'float64':
      return wholeFloat(type, raw)
    default: {
      const whole = wholeInteger(type, rounded(raw), raw)
      return REGISTERS_OF[type] === 4 ? whole : Number(whole)
    }
  }
}

/** Half away from zero, as people round. */
const rounded = (value: number) => Math.sign(value) * Math.round(Math.abs(value))

/** The shortest decimal that is this float32: 701.00085, where widening it alone would show 701.000854492188. */
function shortestDecimal(float32: number): number {
  if (Number.isInteger(float32)) return float32
  for (let digits = 6; digits < 9; digits += 1) {
    const decimal = Number(float32.toPrecision(digits))
    if (Math.fround(decimal) === float32) return decimal
  }
  return Number(float32.toPrecision(9))
}

/** Is the bit set that stands for `raw`? Only 0 and 1 fit. */
export function encodeBit(raw: Raw): boolean {
  const value = Number(raw)
  if (value !== 0 && value !== 1) throw new Failure('rejected', `${raw} does not fit bool: only 0 and 1 do`)
  return value === 1
}

type IntegerType = Exclude<ValueType, 'bool' | 'float32' | 'float64'>

const RANGE: Record<IntegerType, readonly [min: bigint, max: bigint]> = {
  int16: [-(2n ** 15n), 2n ** 15n - 1n],
  uint16: [0n, 2n ** 16n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
}

function wholeInteger(type: IntegerType, raw: Raw, asked = raw): bigint {
  const [min, max] = RANGE[type]
  const value = typeof raw === 'bigint' ? raw : Number.isInteger(raw) ? BigInt(raw) : undefined
  if (value === undefined || value < min || value > max) {
    throw new Failure('rejected', `${asked} does not fit ${type}: it holds whole numbers from ${min} to ${max}`)
  }
  return value
}

function writeInteger(view: DataView, type: IntegerType, value: bigint): void {
  const width = REGISTERS_OF[type]
  if (width === 1) view.setUint16(0, Number(BigInt.asUintN(16, value)))
  else if (width === 2) view.setUint32(0, Number(BigInt.asUintN(32, value)))
  else view.setBigUint64(0, BigInt.asUintN(64, value))
}

function wholeFloat(type: 'float32' | 'float64', raw: Raw): number {
  const value = Number(raw)
  const held = type === 'float32' ? Math.fround(value) : value
  if (!Number.isFinite(held))
    throw new Failure('rejected', `${raw} does not fit ${type}: it holds ${FLOAT_RANGE[type]}`)
  if (typeof raw === 'bigint' && BigInt(held) !== raw) {
    throw new Failure('rejected', `${raw} does not fit ${type}: it would be rounded to ${BigInt(held)}`)
  }
  return value
}

const FLOAT_RANGE = {
  float32: 'finite numbers from -3.4e38 to 3.4e38',
  float64: 'finite numbers from -1.8e308 to 1.8e308',
}

/** Its own inverse: from the wire to big-endian and back. */
function reordered(bytes: Uint8Array, order: WordOrder): Uint8Array {
  const result = new Uint8Array(bytes.length)
  const reverseWords = order === 'CDAB' || order === 'DCBA'
  const swapBytes = order === 'BADC' || order === 'DCBA'
  for (let index = 0; index < bytes.length; index += 1) {
    const word = reverseWords ? bytes.length - 2 - (index & ~1) : index & ~1
    result[word + (swapBytes ? 1 - (index & 1) : index & 1)] = bytes[index] as number
  }
  return result
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
