import { Failure } from '@plantroom/contract/failure'
import type { Raw, Reading } from '../driver.ts'
import { type ModbusPoint, REGISTERS_OF, type ValueType, type WordOrder } from './config.ts'

type Encoding = Pick<ModbusPoint, 'type' | 'wordOrder' | 'bit'>

/** Reads a point from the registers at byte offset `at`. */
export type Reader = (wire: DataView, at: number) => Reading

const READERS = new Map<string, Reader>()

/**
 * Returns the reader for an encoding. Readings have an image where the raw value alone would not restore the registers.
 * Points with the same encoding share a reader.
 */
export function readerOf(encoding: Encoding): Reader {
  const key = `${encoding.type} ${encoding.wordOrder} ${encoding.bit}`
  let reader = READERS.get(key)
  if (!reader) {
    reader = createReader(encoding)
    READERS.set(key, reader)
  }
  return reader
}

function createReader(encoding: Encoding): Reader {
  const { type, bit, wordOrder } = encoding
  const decode = decoderOf(encoding)
  if (bit !== undefined) return (wire, at) => ({ raw: decode(wire, at) })
  if (type === 'bool') {
    const decodeWord = decoderOf({ type: 'uint16', wordOrder, bit })
    return (wire, at) => {
      const word = decodeWord(wire, at)
      return word === 0 || word === 1 ? { raw: word } : { raw: 1, image: imageOf(encoding, wire, at) }
    }
  }
  if (type !== 'float32' && type !== 'float64') return (wire, at) => ({ raw: decode(wire, at) })
  return (wire, at) => {
    const raw = decode(wire, at)
    if (!Number.isFinite(raw)) return { error: `the register holds ${raw}`, image: imageOf(encoding, wire, at) }
    return Object.is(raw, -0) ? { raw: 0, image: imageOf(encoding, wire, at) } : { raw }
  }
}

/** Returns the bytes of a point's registers in wire order, in hexadecimal. */
function imageOf({ type }: Encoding, wire: DataView, at: number): string {
  return Buffer.from(wire.buffer, wire.byteOffset + at, REGISTERS_OF[type] * 2).toString('hex')
}

const MAX_SHOWN = 40

/** Decodes an image of a point of this type. Throws a `Failure` of kind `rejected` if it is damaged. */
export function decodeImage(type: ValueType, image: string): Uint8Array {
  const size = REGISTERS_OF[type] * 2
  // Images come back from disk, so that anything may be in them.
  if (typeof image !== 'string' || image.length !== size * 2 || !/^[0-9a-f]*$/i.test(image)) {
    const shown = JSON.stringify(String(image).slice(0, MAX_SHOWN))
    throw new Failure('rejected', `the image ${shown} does not fit ${type}: it must have ${size} bytes in hexadecimal`)
  }
  return Uint8Array.from(Buffer.from(image, 'hex'))
}

/** Decodes the raw value of the registers at byte offset `at`. A `bool` and a bit are 0 or 1. */
type Decoder = (wire: DataView, at: number) => Raw

/** Returns the decoder for an encoding. */
export function decoderOf({ type, wordOrder, bit }: Encoding): Decoder {
  if (bit !== undefined) {
    const word = decoderOf({ type: 'uint16', wordOrder, bit: undefined })
    return (wire, at) => (Number(word(wire, at)) >> bit) & 1
  }
  const decode = DECODERS[type]
  if (wordOrder === 'ABCD') return decode
  const size = REGISTERS_OF[type] * 2
  return (wire, at) => {
    reorder(wire, at, size, wordOrder, SCRATCH)
    return decode(SCRATCH, 0)
  }
}

const SCRATCH = new DataView(new ArrayBuffer(8))

const DECODERS: Readonly<Record<ValueType, Decoder>> = {
  bool: (wire, at) => (wire.getUint16(at) === 0 ? 0 : 1),
  int16: (wire, at) => wire.getInt16(at),
  uint16: (wire, at) => wire.getUint16(at),
  int32: (wire, at) => wire.getInt32(at),
  uint32: (wire, at) => wire.getUint32(at),
  int64: (wire, at) => wire.getBigInt64(at),
  uint64: (wire, at) => wire.getBigUint64(at),
  float32: (wire, at) => shortestDecimal(wire.getFloat32(at)),
  float64: (wire, at) => wire.getFloat64(at),
}

/**
 * Encodes `raw` as registers in wire order. Rejects a value that does not fit the type: nothing is wrapped, truncated or
 * clamped. A float32 takes the nearest value.
 */
export function encodeRegisters(encoding: Encoding, raw: Raw): Uint8Array {
  const { type } = encoding
  const size = REGISTERS_OF[type] * 2
  const view = new DataView(new ArrayBuffer(size))
  switch (type) {
    case 'bool':
      view.setUint16(0, encodeBit(raw) ? 1 : 0)
      break
    case 'float32':
    case 'float64': {
      const value = fitFloat(type, raw)
      if (type === 'float32') view.setFloat32(0, value)
      else view.setFloat64(0, value)
      break
    }
    default:
      writeInteger(view, type, fitInteger(type, raw))
  }
  const wire = new DataView(new ArrayBuffer(size))
  reorder(view, 0, size, encoding.wordOrder, wire)
  return new Uint8Array(wire.buffer)
}

/** Returns the value that a register of this type reads back after `raw` was written. Rejects a value out of range. */
export function nearestRaw(type: ValueType, raw: number): Raw {
  switch (type) {
    case 'bool':
      // Not rounded: 0.5 does not mean on.
      return encodeBit(raw) ? 1 : 0
    case 'float32':
      return withoutNegativeZero(shortestDecimal(Math.fround(fitFloat(type, raw))))
    case 'float64':
      return withoutNegativeZero(fitFloat(type, raw))
    default: {
      const whole = fitInteger(type, toWhole(raw), raw)
      if (!Number.isSafeInteger(Number(whole))) {
        throw new Failure('rejected', `${raw} does not fit ${type}: a number above 2^53 cannot be sent exactly`)
      }
      return REGISTERS_OF[type] === 4 ? whole : Number(whole)
    }
  }
}

/** Turns a setpoint of -0 into 0. Only an image restores a negative zero. */
const withoutNegativeZero = (value: number) => (value === 0 ? 0 : value)

/** Rounds half away from zero, as people do. */
const toWhole = (value: number) => Math.sign(value) * Math.round(Math.abs(value))

/** Returns the shortest decimal that equals this float32: 701.00085 instead of the widened 701.000854492188. */
export function shortestDecimal(float32: number): number {
  if (Number.isInteger(float32)) return float32
  const size = Math.abs(float32)
  const beforePoint = Math.floor(Math.log10(size)) + 1
  for (let digits = 6; digits < 9; digits += 1) {
    const decimal = toDigits(size, digits, beforePoint)
    if (Math.fround(decimal) === size) return float32 < 0 ? -decimal : decimal
  }
  return Number(float32.toPrecision(9))
}

// Up to this many places, a float32 times a power of ten is exact in a double, so that rounding equals `toPrecision`.
const MAX_PLACES = 12

function toDigits(size: number, digits: number, beforePoint: number): number {
  const places = digits - beforePoint
  if (!(places >= 0 && places <= MAX_PLACES)) return Number(size.toPrecision(digits))
  const scale = 10 ** places
  return Math.round(size * scale) / scale
}

/** Returns true for 1 and false for 0. Rejects everything else. */
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

function fitInteger(type: IntegerType, raw: Raw, asked = raw): bigint {
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

function fitFloat(type: 'float32' | 'float64', raw: Raw): number {
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

/** Converts between wire order and big-endian: each order is its own inverse. */
function reorder(from: DataView, at: number, size: number, order: WordOrder, to: DataView): void {
  const reverseWords = order === 'CDAB' || order === 'DCBA'
  const swapBytes = order === 'BADC' || order === 'DCBA'
  for (let word = 0; word < size; word += 2) {
    to.setUint16(reverseWords ? size - 2 - word : word, from.getUint16(at + word, swapBytes))
  }
}
