import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reading } from '../driver.ts'
import { decodeValue, encodeElement, toElement, typeOf } from './codec.ts'
import type { ValueType } from './config.ts'
import { elementOfImage, withImage } from './image.ts'
import { parseXml } from './xml.ts'

function read(xml: string, writtenAs?: ValueType): Reading {
  const object = parseXml(xml)
  return withImage(decodeValue(object), object, writtenAs ?? typeOf(object) ?? 'real')
}

const restored = ({ image = expect.fail('no image') }: Reading) => encodeElement(elementOfImage({ image }))

describe('a value that no raw value restores', () => {
  test.each([
    '<real val="NaN"/>',
    '<real val="INF"/>',
    '<real val="-INF"/>',
    '<real val="-0"/>',
    '<real val="-0.0e5"/>',
    '<real val="1e999"/>',
    '<real val="21,5"/>',
    '<int val="9223372036854775808"/>',
    '<int val="1.5"/>',
    '<bool val="TRUE"/>',
    '<enum val="auto"/>',
    '<str val=" two  words "/>',
    '<str val=""/>',
    '<str val="a&#38;b&#60;&#34;&#10;&#9;"/>',
    '<abstime val="2030-01-01T00:00:00Z"/>',
    '<real null="true"/>',
  ])('has an image that restores it: %s', (xml) => {
    expect(restored(read(xml))).toBe(xml)
  })

  test('still has a raw value if it is a number', () => {
    expect(read('<real val="-0"/>')).toEqual({ raw: 0, image: expect.any(String) })
    expect(read('<real val="NaN"/>')).toEqual({ error: expect.any(String), image: expect.any(String) })
  })

  test('is restored with the type that the server showed, whatever type was commissioned', () => {
    expect(restored(read('<real val="21.5"/>', 'int'))).toBe('<real val="21.5"/>')
    expect(restored(read('<int val="9007199254740993"/>', 'real'))).toBe('<int val="9007199254740993"/>')
    expect(restored(read('<int val="7"/>', 'bool'))).toBe('<int val="7"/>')
  })

  test('of null has no raw value', () => {
    expect(restored(read('<real val="0" null="1"/>'))).toBe('<real null="true"/>')
  })
})

describe('no image', () => {
  test.each([
    '<real val="21.5"/>',
    '<real val="21.50"/>',
    '<real val="0"/>',
    '<int val="-0"/>',
    '<int val="9007199254740993"/>',
    '<bool val="1"/>',
    '<err/>',
    '<obj/>',
    '<real/>',
    '<real val="NaN" status="fault"/>',
    '<real val="21.5" status="down"/>',
    `<str val="${'x'.repeat(1025)}"/>`,
  ])('is needed or available for %s', (xml) => {
    expect(read(xml)).not.toHaveProperty('image')
  })

  test('is needed if the commissioned type restores the value', () => {
    expect(read('<int val="5"/>', 'real')).toEqual({ raw: 5 })
    expect(read('<real val="5.0"/>', 'int')).toEqual({ raw: 5 })
    expect(read('<int val="1"/>', 'bool')).toEqual({ raw: 1 })
  })
})

test('restores every value exactly, through its raw value or its image', () => {
  const values: fc.Arbitrary<[ValueType, string]> = fc.oneof(
    fc.double().map((value): [ValueType, string] => ['real', Object.is(value, -0) ? '-0' : String(value)]),
    fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map((value): [ValueType, string] => ['int', String(value)]),
  )
  fc.assert(
    fc.property(values, fc.constantFrom<ValueType>('real', 'int', 'bool'), ([type, val], writtenAs) => {
      const reading = read(`<${type} val="${val}"/>`, writtenAs)
      const image = reading.image
      const element =
        image !== undefined
          ? elementOfImage({ image })
          : toElement(writtenAs, 'raw' in reading ? reading.raw : expect.fail(reading.error))
      const back = /"(.*)"/.exec(element.attributes)?.[1] ?? ''
      if (element.tag === type) expect(back === val || Number(back) === Number(val)).toBe(true)
      else expect(Number(back === 'true' ? 1 : back === 'false' ? 0 : back)).toBe(Number(val))
    }),
  )
})

test.each([
  '',
  'nonsense',
  'null',
  '[]',
  '"real"',
  '{}',
  '{"tag":"real"}',
  '{"tag":"op","val":"1"}',
  '{"tag":"real onload","val":"1"}',
  '{"tag":"real","val":1}',
  '{"tag":"real","val":"1","null":true}',
  '{"tag":"real","null":false}',
  String.raw`{"tag":"str","val":"\u0000"}`,
  String.raw`{"tag":"str","val":"\ud800"}`,
  JSON.stringify({ tag: 'str', val: 'x'.repeat(1025) }),
  JSON.stringify({ tag: 'str', val: 'x'.repeat(100_000) }),
  7 as unknown as string,
])('rejects an image that did not come from a reading: %j', (image) => {
  expect(() => elementOfImage({ image })).toThrow(expect.objectContaining({ kind: 'rejected' }))
  expect(() => elementOfImage({ image })).toThrow(/^the stored value .{0,101} is damaged; nothing was sent$/)
})
