import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Raw, Reading } from '../driver.ts'
import { decodeImage, decoderOf, encodeBit, encodeRegisters, nearestRaw, readerOf, shortestDecimal } from './codec.ts'
import { type ModbusPoint, REGISTERS_OF, type ValueType, WORD_ORDERS, type WordOrder } from './config.ts'

const encoding = (type: ValueType, wordOrder: WordOrder = 'ABCD', bit?: number) => ({ type, wordOrder, bit })
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

/** Places the bytes in the middle of an answer, where values usually are. */
function decodeRegisters(of: Pick<ModbusPoint, 'type' | 'wordOrder' | 'bit'>, wire: Uint8Array): Raw {
  const answer = Uint8Array.from([0xa5, 0x5a, 0xa5, ...wire, 0x5a, 0xa5])
  return decoderOf(of)(new DataView(answer.buffer, 1), 2)
}

describe('registers and raw values', () => {
  test.each<[ValueType, WordOrder, Raw, string]>([
    ['int16', 'ABCD', -2, 'fffe'],
    ['int16', 'CDAB', -2, 'fffe'],
    ['int16', 'BADC', -2, 'feff'],
    ['uint16', 'DCBA', 0x1234, '3412'],
    ['uint32', 'ABCD', 0x01020304, '01020304'],
    ['uint32', 'CDAB', 0x01020304, '03040102'],
    ['uint32', 'BADC', 0x01020304, '02010403'],
    ['uint32', 'DCBA', 0x01020304, '04030201'],
    ['int32', 'ABCD', -1, 'ffffffff'],
    ['uint64', 'ABCD', 0x0102030405060708n, '0102030405060708'],
    ['uint64', 'CDAB', 0x0102030405060708n, '0708050603040102'],
    ['uint64', 'BADC', 0x0102030405060708n, '0201040306050807'],
    ['uint64', 'DCBA', 0x0102030405060708n, '0807060504030201'],
    ['int64', 'ABCD', -2n, 'fffffffffffffffe'],
    ['uint64', 'ABCD', 9007199254740993n, '0020000000000001'],
    ['float32', 'ABCD', 1.5, '3fc00000'],
    ['float32', 'CDAB', 1.5, '00003fc0'],
    ['float64', 'ABCD', -0.1, 'bfb999999999999a'],
    ['bool', 'ABCD', 1, '0001'],
  ])('%s in order %s: %s is %s', (type, wordOrder, raw, wire) => {
    expect(hex(encodeRegisters(encoding(type, wordOrder), raw))).toBe(wire)
    expect(decodeRegisters(encoding(type, wordOrder), bytes(wire))).toBe(raw)
  })

  test('decode a bit of a register as 0 or 1', () => {
    expect(decodeRegisters(encoding('uint16', 'ABCD', 0), bytes('8001'))).toBe(1)
    expect(decodeRegisters(encoding('int16', 'ABCD', 15), bytes('8001'))).toBe(1)
    expect(decodeRegisters(encoding('bool', 'ABCD', 8), bytes('8001'))).toBe(0)
    expect(decodeRegisters(encoding('bool', 'BADC', 8), bytes('8001'))).toBe(1)
  })

  test('show a float32 as its shortest decimal', () => {
    expect(decodeRegisters(encoding('float32'), bytes('442f400e'))).toBe(701.00085)
    expect(decodeRegisters(encoding('float32'), bytes('3dcccccd'))).toBe(0.1)
  })

  test('show every float32 as the decimal that its digits spell', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (float32) => {
        const spelt = [6, 7, 8, 9].map((digits) => Number(float32.toPrecision(digits)))
        const shortest = Number.isInteger(float32) ? float32 : spelt.find((each) => Math.fround(each) === float32)
        expect(shortestDecimal(float32)).toBe(shortest)
      }),
      { numRuns: 2000, examples: [0.1, -0.01, 1e-7, 1e-45, 8_388_607.5, 999_999.94, 9.999_999, 0.5].map(asExample) },
    )
  })

  test('decode every nonzero register as a true bool', () => {
    expect(decodeRegisters(encoding('bool'), bytes('ff00'))).toBe(1)
    expect(decodeRegisters(encoding('bool'), bytes('0000'))).toBe(0)
  })
})

const asExample = (value: number): [number] => [Math.fround(value)]

const valuesOf: Record<ValueType, fc.Arbitrary<Raw>> = {
  int16: fc.integer({ min: -32_768, max: 32_767 }),
  uint16: fc.integer({ min: 0, max: 65_535 }),
  int32: fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }),
  uint32: fc.integer({ min: 0, max: 4_294_967_295 }),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  float32: fc.float({ noNaN: true, noDefaultInfinity: true }),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bool: fc.integer({ min: 0, max: 1 }),
}
const TYPES = Object.keys(valuesOf) as ValueType[]

describe.each(TYPES)('%s', (type) => {
  test.each(WORD_ORDERS)('survives a round trip in order %s', (wordOrder) => {
    fc.assert(
      fc.property(valuesOf[type], (raw) => {
        const wire = encodeRegisters(encoding(type, wordOrder), raw)
        expect(wire.length).toBe(REGISTERS_OF[type] * 2)
        const decoded = decodeRegisters(encoding(type, wordOrder), wire)
        expect(type === 'float32' ? Math.fround(Number(decoded)) : decoded).toBe(raw)
      }),
    )
  })

  test('accepts the other number type only for an equal number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (raw) => {
        let wire: Uint8Array
        try {
          wire = encodeRegisters(encoding(type), raw)
        } catch {
          return
        }
        expect(BigInt(decodeRegisters(encoding(type), wire))).toBe(raw)
      }),
    )
  })
})

describe('the nearest value that a register can hold', () => {
  test.each<[ValueType, number, Raw]>([
    ['int16', 21.4, 21],
    ['int16', 21.5, 22],
    ['int16', -21.5, -22],
    ['int16', -0.4, 0],
    ['int16', 32_767.4, 32_767],
    ['uint16', 65_535, 65_535],
    ['int32', -2_147_483_648.4, -2_147_483_648],
    ['uint32', 0.5, 1],
    ['int64', -2.5, -3n],
    ['int64', -(2 ** 53 - 1), -(2n ** 53n - 1n)],
    ['uint64', 2 ** 53 - 1, 2n ** 53n - 1n],
    ['uint64', 0.4, 0n],
    ['float32', 0.1, 0.1],
    ['float32', 701.000854492188, 701.00085],
    ['float32', 16_777_217, 16_777_216],
    ['float32', 3.4e38, Math.fround(3.4e38)],
    ['float32', -0, 0],
    ['float32', -1e-50, 0],
    ['float64', 0.1, 0.1],
    ['float64', -0, 0],
    ['bool', 0, 0],
    ['bool', 1, 1],
  ])('in %s, of %d is %s', (type, raw, nearest) => {
    expect(nearestRaw(type, raw)).toBe(nearest)
  })

  test.each<[ValueType, number, string]>([
    ['int16', 32_767.5, '32767.5 does not fit int16: it holds whole numbers from -32768 to 32767'],
    ['uint16', -0.5, '-0.5 does not fit uint16: it holds whole numbers from 0 to 65535'],
    ['uint32', Number.NaN, 'NaN does not fit uint32: it holds whole numbers from 0 to 4294967295'],
    ['int64', 2 ** 63, '9223372036854776000 does not fit int64: it holds whole numbers from -9223372036854775808'],
    ['int64', -(2 ** 53), '-9007199254740992 does not fit int64: a number above 2^53 cannot be sent exactly'],
    ['uint64', 2 ** 53, '9007199254740992 does not fit uint64: a number above 2^53 cannot be sent exactly'],
    ['uint64', 2 ** 60, '1152921504606847000 does not fit uint64: a number above 2^53 cannot be sent exactly'],
    ['uint64', Number.POSITIVE_INFINITY, 'Infinity does not fit uint64: it holds whole numbers from 0'],
    ['float32', -1e39, '-1e+39 does not fit float32: it holds finite numbers from -3.4e38 to 3.4e38'],
    ['float64', Number.NaN, 'NaN does not fit float64: it holds finite numbers'],
    ['bool', 0.4, '0.4 does not fit bool: only 0 and 1 do'],
    ['bool', 0.5, '0.5 does not fit bool: only 0 and 1 do'],
    ['bool', 1.5, '1.5 does not fit bool: only 0 and 1 do'],
    ['bool', -0.5, '-0.5 does not fit bool: only 0 and 1 do'],
  ])('does not exist in %s for %d', (type, raw, message) => {
    expect(() => nearestRaw(type, raw)).toThrow(message)
  })

  test.each(TYPES)('reads back from a %s after it was written', (type) => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e20, max: 1e20 }), (raw) => {
        let nearest: Raw
        try {
          nearest = nearestRaw(type, raw)
        } catch {
          return
        }
        expect(decodeRegisters(encoding(type), encodeRegisters(encoding(type), nearest))).toBe(nearest)
      }),
      { examples: [[0.3], [1.5], [-32_768], [4e9], [9e18]] },
    )
  })
})

describe('a value that does not fit', () => {
  test.each<[ValueType, Raw, string]>([
    ['int16', 32_768, '32768 does not fit int16: it holds whole numbers from -32768 to 32767'],
    ['int16', -32_769, '-32769 does not fit int16: it holds whole numbers from -32768 to 32767'],
    ['int16', 1.5, '1.5 does not fit int16: it holds whole numbers from -32768 to 32767'],
    ['uint16', -1, '-1 does not fit uint16: it holds whole numbers from 0 to 65535'],
    ['uint16', 65_536n, '65536 does not fit uint16: it holds whole numbers from 0 to 65535'],
    ['int32', 2 ** 31, '2147483648 does not fit int32: it holds whole numbers from -2147483648 to 2147483647'],
    ['uint32', Number.NaN, 'NaN does not fit uint32: it holds whole numbers from 0 to 4294967295'],
    ['uint32', 2 ** 32, '4294967296 does not fit uint32: it holds whole numbers from 0 to 4294967295'],
    [
      'int64',
      2n ** 63n,
      '9223372036854775808 does not fit int64: it holds whole numbers from -9223372036854775808 to 9223372036854775807',
    ],
    ['uint64', -1n, '-1 does not fit uint64: it holds whole numbers from 0 to 18446744073709551615'],
    [
      'uint64',
      Number.POSITIVE_INFINITY,
      'Infinity does not fit uint64: it holds whole numbers from 0 to 18446744073709551615',
    ],
    ['float32', 1e39, '1e+39 does not fit float32: it holds finite numbers from -3.4e38 to 3.4e38'],
    ['float32', Number.NaN, 'NaN does not fit float32: it holds finite numbers from -3.4e38 to 3.4e38'],
    [
      'float64',
      Number.NEGATIVE_INFINITY,
      '-Infinity does not fit float64: it holds finite numbers from -1.8e308 to 1.8e308',
    ],
    ['float64', 9007199254740993n, '9007199254740993 does not fit float64: it would be rounded to 9007199254740992'],
    ['bool', 2, '2 does not fit bool: only 0 and 1 do'],
  ])('is rejected by %s: %s', (type, raw, message) => {
    expect(() => encodeRegisters(encoding(type), raw)).toThrow(message)
  })

  test('is anything but 0 or 1 for a coil', () => {
    expect(encodeBit(1)).toBe(true)
    expect(encodeBit(0n)).toBe(false)
    for (const raw of [2, -1, 0.5, Number.NaN]) expect(() => encodeBit(raw)).toThrow('does not fit bool')
  })
})

describe('a reading', () => {
  const readingOf = (type: ValueType, wordOrder: WordOrder, wire: string) => {
    // In the middle of an answer.
    const answer = Uint8Array.from([0xa5, 0x5a, 0xa5, ...bytes(wire), 0x5a])
    return readerOf(encoding(type, wordOrder))(new DataView(answer.buffer, 1), 2)
  }

  test.each<[ValueType, WordOrder, string, Reading]>([
    ['float32', 'ABCD', '7fc01234', { error: 'the register holds NaN', image: '7fc01234' }],
    ['float32', 'CDAB', '1234ffc0', { error: 'the register holds NaN', image: '1234ffc0' }],
    ['float32', 'ABCD', '7f800000', { error: 'the register holds Infinity', image: '7f800000' }],
    ['float64', 'ABCD', 'fff0000000000000', { error: 'the register holds -Infinity', image: 'fff0000000000000' }],
    ['float32', 'ABCD', '80000000', { raw: 0, image: '80000000' }],
    ['float64', 'DCBA', '0000000000000080', { raw: 0, image: '0000000000000080' }],
    ['float32', 'ABCD', '00000000', { raw: 0 }],
    ['bool', 'ABCD', '0102', { raw: 1, image: '0102' }],
    ['bool', 'ABCD', '0001', { raw: 1 }],
    ['bool', 'BADC', '0100', { raw: 1 }],
    ['bool', 'BADC', '0001', { raw: 1, image: '0001' }],
    ['bool', 'ABCD', '0000', { raw: 0 }],
    ['uint64', 'ABCD', 'ffffffffffffffff', { raw: 18_446_744_073_709_551_615n }],
  ])('of a %s in order %s from %s is %o', (type, order, wire, reading) => {
    expect(readingOf(type, order, wire)).toEqual(reading)
  })

  test.each(TYPES)('of a %s restores every bit, through its raw value or its image', (type) => {
    const size = REGISTERS_OF[type] * 2
    const special = ['7fc0000000000001', '7f80000000000000', '8000000000000000', '0000000100000000', '3dcccccd00000000']
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        fc.constantFrom(...WORD_ORDERS),
        (content, wordOrder) => {
          const wire = hex(content).slice(0, size * 2)
          const reading = readingOf(type, wordOrder, wire)
          const { image } = reading
          const restored =
            image === undefined && 'raw' in reading
              ? encodeRegisters(encoding(type, wordOrder), reading.raw)
              : decodeImage(type, image ?? '')
          expect(hex(restored)).toBe(wire)
        },
      ),
      { numRuns: 2000, examples: special.map((each): [Uint8Array<ArrayBuffer>, WordOrder] => [bytes(each), 'ABCD']) },
    )
  })
})
