import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readApdu } from './apdu.ts'
import { readDatagram } from './network.ts'
import { readErrorData, readIAm, readMultipleAck, readNotification, readPropertyAck } from './services.ts'
import { concat, encodeContext, encodeValue, Malformed, opening, TagReader, type Value } from './tags.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

const VALUES: fc.Arbitrary<Value> = fc.oneof(
  fc.constant<Value>({ tag: 'null' }),
  fc.boolean().map((value): Value => ({ tag: 'boolean', value })),
  fc.maxSafeNat().map((value): Value => ({ tag: 'unsigned', value })),
  fc.nat(0xff_ff_ff).map((value): Value => ({ tag: 'enumerated', value })),
  fc.integer().map((value): Value => ({ tag: 'signed', value })),
  fc.float().map((value): Value => ({ tag: 'real', value })),
  fc.double().map((value): Value => ({ tag: 'double', value })),
  fc.string({ unit: 'grapheme', maxLength: 400 }).map((value): Value => ({ tag: 'text', value })),
  fc.uint8Array({ maxLength: 300 }).map((value): Value => ({ tag: 'octets', value })),
  fc.record({ type: fc.nat(1023), instance: fc.nat(0x3f_ff_ff) }).map((value): Value => ({ tag: 'object', value })),
)

describe('values', () => {
  // From the standard, clause 20.2.
  test.each<[Value, string]>([
    [{ tag: 'null' }, '00'],
    [{ tag: 'boolean', value: false }, '10'],
    [{ tag: 'boolean', value: true }, '11'],
    [{ tag: 'unsigned', value: 72 }, '2148'],
    [{ tag: 'signed', value: 72 }, '3148'],
    [{ tag: 'signed', value: -1 }, '31ff'],
    [{ tag: 'signed', value: -129 }, '32ff7f'],
    [{ tag: 'real', value: 72 }, '4442900000'],
    [{ tag: 'double', value: 72 }, '55084052000000000000'],
    [{ tag: 'octets', value: bytes('1234ff') }, '631234ff'],
    [
      { tag: 'text', value: 'This is a BACnet string!' },
      '7519005468697320697320612042414'.concat('36e657420737472696e6721'),
    ],
    [{ tag: 'bits', value: bytes('03a8') }, '8203a8'],
    [{ tag: 'enumerated', value: 0 }, '9100'],
    [{ tag: 'date', value: bytes('5b011804') }, 'a45b011804'],
    [{ tag: 'time', value: bytes('11232d11') }, 'b411232d11'],
    [{ tag: 'object', value: { type: 3, instance: 15 } }, 'c400c0000f'],
  ])('%j is encoded as in the standard', (value, wire) => {
    expect(hex(encodeValue(value))).toBe(wire)
    expect(new TagReader(bytes(wire)).value()).toEqual(value)
  })

  test('are read as they were encoded, one after the other', () => {
    fc.assert(
      fc.property(fc.array(VALUES, { maxLength: 10 }), (values) => {
        const reader = new TagReader(concat(...values.map(encodeValue)))
        expect(values.map(() => reader.value())).toEqual(values)
        expect(reader.isAtEnd).toBe(true)
      }),
    )
  })

  test.each([
    ['UCS-2', '750704004800690021', 'Hi!'],
    ['Latin-1', '7305e448', 'äH'],
    ['an unknown character set', '73014869', '?'],
  ])('text in %s is read', (_, wire, text) => {
    expect(new TagReader(bytes(wire)).value()).toEqual({ tag: 'text', value: text })
  })
})

describe('hostile bytes', () => {
  const DECODERS: readonly ((data: Uint8Array) => unknown)[] = [
    readDatagram,
    readApdu,
    readErrorData,
    readIAm,
    readMultipleAck,
    readNotification,
    (data) => readPropertyAck(data, { type: 2, instance: 1 }, 85),
  ]

  /** Runs every decoder; each may only return or throw `Malformed`. */
  function decodeAll(data: Uint8Array): void {
    for (const decode of DECODERS) {
      try {
        decode(data)
      } catch (error) {
        expect(error).toBeInstanceOf(Malformed)
      }
    }
  }

  test('are refused or read, and nothing else', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 1500 }), decodeAll), { numRuns: 500 })
  })

  test('that begin like an answer are refused or read, and nothing else', () => {
    const start = concat(encodeContext(0, bytes('00800001')), opening(1), encodeContext(2, bytes('55')), opening(4))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (rest) => decodeAll(concat(start, rest))),
      { numRuns: 500 },
    )
  })

  test('with the deepest lists that fit a datagram do not fill the stack', () => {
    const nested = new Uint8Array(65_000).fill(0x3e)
    expect(() => readPropertyAck(concat(bytes('0c008000011955'), nested), { type: 2, instance: 1 }, 85)).toThrow(
      Malformed,
    )
  })

  test('with a length beyond their end are refused', () => {
    for (const wire of ['75ff00ffffff', '75ffffffffff', '75feffff', '7505', '44', '5508', '25']) {
      expect(() => new TagReader(bytes(wire)).value()).toThrow(Malformed)
    }
  })
})
