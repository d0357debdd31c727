import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findUnstorableText, storableJson } from './storable-text.ts'

const find = (json: string) => findUnstorableText(json, JSON.parse(json))

describe('an unpaired surrogate', () => {
  test.each([
    ['"\\ud83d"', 'body'],
    ['"\\uDC00 after"', 'body'],
    ['"\\ud83d\\ud83d\\ude00"', 'body'],
    ['{"a":[1,{"b":"x\\udfff"}]}', 'a[1].b'],
    ['{"a":{"\\ud800":1}}', 'a.\\ud800'],
    ['"\\\\\\ud800"', 'body'],
  ])('is found in %s, at %s', (json, field) => {
    expect(find(json)).toMatchObject({ field, rule: expect.stringContaining('half a character') })
  })

  test.each(['"\\ud83d\\ude00"', '"😀"', '"\\\\ud800"', '"\\u00e4"', '{"a":null,"b":[true,1.5,""]}', '{}'])(
    'is not in %s',
    (json) => expect(find(json)).toBeUndefined(),
  )
})

describe('U+0000', () => {
  test.each([
    ['{"data":{"id":"con_\\u0000"}}', 'data.id'],
    ['{"b":["x","\\u0000"],"a":1}', 'b[1]'],
    ['{"x\\u0000":1}', 'x\\u0000'],
    ['"\\\\\\u0000"', 'body'],
  ])('is found in %s, at %s', (json, field) => {
    expect(find(json)).toMatchObject({ field, rule: expect.stringContaining('U+0000') })
  })

  test.each(['"\\\\u0000"', '"\\u0001"'])('is not in %s', (json) => expect(find(json)).toBeUndefined())
})

describe('unstorable text', () => {
  test('is reported in the order of the body', () => {
    expect(find('{"a":{"b":"\\u0000"},"c":"\\ud800"}')?.field).toBe('a.b')
  })

  test('is found deeper than any stack allows', () => {
    const depth = 30_000
    const nested = (inner: string) => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`
    expect(find(nested('"\\ud800"'))?.field).toBe(`${'[0]'.repeat(33)}[…`)
    expect(find(nested('"\\ud83d\\ude00"'))).toBeUndefined()
  })

  test('is reported with a bounded field name', () => {
    expect(find(`{"${'n'.repeat(60_000)}":"\\u0000"}`)?.field).toBe(`${'n'.repeat(100)}…`)
  })
})

describe('JSON that is made storable', () => {
  test('has U+FFFD for what no column takes, in texts and in names of fields', () => {
    const json = storableJson({ 'a\0': ['b\ud800', { c: 'd\0😀' }], e: null })
    expect(JSON.parse(json)).toEqual({ 'a\ufffd': ['b\ufffd', { c: 'd\ufffd😀' }], e: null })
  })

  test('is storable whatever it says', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(find(storableJson(value))).toBeUndefined()
      }),
    )
  })
})
