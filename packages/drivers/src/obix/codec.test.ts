import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Raw } from '../driver.ts'
import {
  childNamed,
  decodeValue,
  encodeBatchIn,
  encodeElement,
  encodeWatchIn,
  encodeWritePointIn,
  nearestRaw,
  toElement,
  typeOf,
} from './codec.ts'
import type { ValueType } from './config.ts'
import { parseXml } from './xml.ts'

const decoded = (xml: string) => decodeValue(parseXml(xml))
const encodeValue = (type: ValueType, raw: Raw) => encodeElement(toElement(type, raw))

describe('the value of a point', () => {
  test.each<[string, Raw]>([
    ['<real val="21.5"/>', 21.5],
    ['<real val="-0.25" unit="obix:units/celsius" precision="1" display="-0.3 °C"/>', -0.25],
    ['<real val=" 1.5E3 "/>', 1500],
    ['<real val="+.5e-1"/>', 0.05],
    ['<real val="-0"/>', 0],
    ['<real val="5."/>', 5],
    ['<int val="-42"/>', -42],
    ['<int val="+7"/>', 7],
    ['<int val="9007199254740991"/>', 9007199254740991],
    ['<int val="9007199254740993"/>', 9007199254740993n],
    ['<int val="-9007199254740992"/>', -9007199254740992n],
    ['<int val="-9223372036854775808"/>', -9223372036854775808n],
    ['<bool val="true"/>', 1],
    ['<bool val="false"/>', 0],
    ['<bool val="1"/>', 1],
    ['<bool val="0"/>', 0],
    ['<real val="3" null="false"/>', 3],
  ])('in %s is %s', (xml, raw) => {
    expect(decoded(xml)).toEqual({ raw })
  })

  test.each(['ok', 'overridden', 'alarm', 'unackedAlarm', 'unacked'])('is valid with status %s', (status) => {
    expect(decoded(`<real val="1" status="${status}"/>`)).toEqual({ raw: 1 })
  })

  test.each(['disabled', 'fault', 'down', 'stale', 'unknown'])('is invalid with status %s', (status) => {
    expect(decoded(`<real val="1" status="${status}"/>`)).toEqual({ error: `the server reports status ${status}` })
  })

  test.each([
    ['<real null="true"/>', 'the server reports null'],
    ['<real val="0" null="1"/>', 'the server reports null'],
    ['<real/>', 'the server sent real without a value'],
    ['<real val="INF"/>', 'the server sent INF, which is not a valid real'],
    ['<real val="-INF"/>', 'the server sent -INF, which is not a valid real'],
    ['<real val="NaN"/>', 'the server sent NaN, which is not a valid real'],
    ['<real val="1e999"/>', 'the server sent 1e999, which is not a valid real'],
    ['<real val="21,5"/>', 'the server sent 21,5, which is not a valid real'],
    ['<real val="0x10"/>', 'the server sent 0x10, which is not a valid real'],
    ['<real val=""/>', 'the server sent , which is not a valid real'],
    ['<int val="1.5"/>', 'the server sent 1.5, which is not a valid int'],
    ['<int val="9223372036854775808"/>', 'the server sent 9223372036854775808, which is not a valid int'],
    ['<bool val="TRUE"/>', 'the server sent TRUE, which is not a valid bool'],
    ['<bool val="constructor"/>', 'the server sent constructor, which is not a valid bool'],
    ['<str val="21.5"/>', 'the server shows it as str, not as bool, int or real'],
    ['<enum val="auto"/>', 'the server shows it as enum, not as bool, int or real'],
    ['<ref href="x"/>', 'the server shows it as ref, not as bool, int or real'],
    ['<obj><real name="out" val="1"/></obj>', 'the server shows it as obj, not as bool, int or real'],
    ['<err/>', 'the server reports an err without details'],
    ['<err is="obix:BadUriErr" display="No such point"/>', 'the server reports obix:BadUriErr: No such point'],
    ['<err display="a&#10;b&#9;c"/>', 'the server reports a b c'],
  ])('is missing from %s', (xml, error) => {
    expect(decoded(xml)).toEqual({ error })
  })
})

test('a message truncates text from a server to one line', () => {
  const long = 'x'.repeat(16_000)
  for (const xml of [
    `<real val="${long}"/>`,
    `<${long} val="1"/>`,
    `<err display="${long}"/>`,
    `<err is="${long}"/>`,
  ]) {
    const reading = decoded(xml)
    expect('error' in reading && reading.error.length).toBeLessThan(160)
  }
  expect(decoded('<real val="1\u202e2"/>')).toEqual({
    error: String.raw`the server sent 1\u202e2, which is not a valid real`,
  })
})

test('the type of a point is known even without a value', () => {
  expect(typeOf(parseXml('<bool null="true"/>'))).toBe('bool')
  expect(typeOf(parseXml('<err/>'))).toBeUndefined()
})

describe('a value to write', () => {
  test.each<[ValueType, Raw, string]>([
    ['real', 21.5, '<real val="21.5"/>'],
    ['real', -1e-7, '<real val="-1e-7"/>'],
    ['real', 3n, '<real val="3"/>'],
    ['int', 5, '<int val="5"/>'],
    ['int', -0, '<int val="0"/>'],
    ['int', 9007199254740993n, '<int val="9007199254740993"/>'],
    ['bool', 1, '<bool val="true"/>'],
    ['bool', 0n, '<bool val="false"/>'],
  ])('%s %s is %s', (type, raw, xml) => {
    expect(encodeValue(type, raw)).toBe(xml)
  })

  test.each<[ValueType, Raw, string]>([
    ['real', Number.NaN, 'NaN does not fit real: it holds finite numbers'],
    ['real', Number.NEGATIVE_INFINITY, '-Infinity does not fit real: it holds finite numbers'],
    ['real', 9007199254740993n, '9007199254740993 does not fit real: it would be rounded to 9007199254740992'],
    ['int', 1.5, '1.5 does not fit int: it holds whole numbers from -9223372036854775808 to 9223372036854775807'],
    ['int', 2n ** 63n, '9223372036854775808 does not fit int'],
    ['int', 2 ** 53, '9007199254740992 cannot be sent exactly'],
    ['bool', 2, '2 does not fit bool: only 0 and 1 do'],
  ])('%s %s is rejected', (type, raw, message) => {
    expect(() => encodeValue(type, raw)).toThrow(expect.objectContaining({ kind: 'rejected' }))
    expect(() => encodeValue(type, raw)).toThrow(message)
  })

  const values: Record<ValueType, fc.Arbitrary<Raw>> = {
    real: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    int: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    bool: fc.integer({ min: 0, max: 1 }),
  }
  test.each(Object.keys(values) as ValueType[])('%s survives a round trip', (type) => {
    fc.assert(
      fc.property(values[type], (raw) => {
        expect(decoded(encodeValue(type, raw))).toEqual({ raw: exact(raw) })
      }),
    )
  })
})

/** Converts a value to the form of a reading: a bigint only if a number would not be exact. */
const exact = (raw: Raw) => (typeof raw === 'bigint' && Number.isSafeInteger(Number(raw)) ? Number(raw) : raw)

describe('the nearest value', () => {
  test.each<[ValueType, number, Raw]>([
    ['real', 21.53, 21.53],
    ['int', 2.5, 3],
    ['int', -2.5, -3],
    ['int', -0.4, 0],
    ['int', 2 ** 53 - 1, 2 ** 53 - 1],
    ['int', 1 - 2 ** 53, 1 - 2 ** 53],
    ['real', 2 ** 60, 2 ** 60],
    ['bool', 1, 1],
    ['bool', 0, 0],
  ])('in %s for %s is %s', (type, asked, raw) => {
    expect(nearestRaw(type, asked)).toBe(raw)
  })

  test.each<[ValueType, number, string]>([
    ['bool', 0.6, '0.6 does not fit bool'],
    ['bool', 1.6, '1.6 does not fit bool'],
    ['int', 1e19, '10000000000000000000 does not fit int'],
    ['int', 2 ** 53, '9007199254740992 cannot be sent exactly: the digits of a number above 2^53 are not known'],
    ['int', -(2 ** 60), 'cannot be sent exactly'],
    ['int', Number.NaN, 'NaN does not fit int'],
    ['real', Number.POSITIVE_INFINITY, 'Infinity does not fit real'],
  ])('does not exist in %s for %s', (type, asked, message) => {
    expect(() => nearestRaw(type, asked)).toThrow(message)
  })

  test('reads back after it was written, and is its own nearest value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<ValueType>('real', 'int'),
        fc.double({ noNaN: true, min: 1 - 2 ** 53, max: 2 ** 53 - 1 }),
        (type, asked) => {
          const raw = nearestRaw(type, asked)
          expect(decoded(encodeValue(type, raw))).toEqual({ raw })
          expect(nearestRaw(type, Number(raw))).toBe(raw)
        },
      ),
    )
  })
})

describe('a request', () => {
  test('for a batch names each path', () => {
    expect(encodeBatchIn(['/obix/a/', '/obix/b?x=1&y=2'])).toBe(
      '<list is="obix:BatchIn" of="obix:uri"><uri is="obix:Read" val="/obix/a/"/>' +
        '<uri is="obix:Read" val="/obix/b?x=1&#38;y=2"/></list>',
    )
  })

  test('for a watch names each path', () => {
    expect(encodeWatchIn(['/obix/a/'])).toBe(
      '<obj is="obix:WatchIn"><list name="hrefs" of="obix:WatchInItem"><uri val="/obix/a/"/></list></obj>',
    )
  })

  test('for a write contains the value', () => {
    expect(encodeWritePointIn(toElement('real', 21.5))).toBe(
      '<obj is="obix:WritePointIn"><real name="value" val="21.5"/></obj>',
    )
  })
})

test('a child is found by its name, directly below the object', () => {
  const lobby = parseXml('<obj><ref name="about"><op name="batch" href="no"/></ref><op name="batch" href="yes"/></obj>')
  expect(childNamed(lobby, 'batch')?.attributes.href).toBe('yes')
  expect(childNamed(lobby, 'watchService')).toBeUndefined()
})
