import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseIfJson } from './vtn-json.ts'

test.each([
  ['U+0000', String.raw`"a\u0000b"`, 'a\ufffdb'],
  ['half a character', String.raw`"\ud83dx\uDE00"`, '\ufffdx\ufffd'],
  ['a whole character', String.raw`"\ud83d\ude00 \u00e4\n"`, '😀 ä\n'],
  ['an escaped backslash before the same letters', String.raw`"\\u0000 \\\u0000"`, '\\u0000 \\\ufffd'],
  ['the name of a field', String.raw`{"a\u0000":1}`, { 'a\ufffd': 1 }],
])('reads %s as text that a database can store', (_what, json, read) => {
  expect(parseIfJson(json)).toEqual(read)
})

test('reads everything else as JSON does', () => {
  expect(parseIfJson('<html>')).toBeUndefined()
  expect(parseIfJson(String.raw`"\u00`)).toBeUndefined()
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      if (!JSON.stringify(JSON.parse(json)).match(/\\u0000|\\ud/)) expect(parseIfJson(json)).toEqual(JSON.parse(json))
    }),
  )
})
