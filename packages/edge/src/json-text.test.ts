import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonArray, jsonMember, jsonObject, storedJson, toJson } from './json-text.ts'

test('joined JSON is equivalent to JSON.stringify of the whole, for any names and values', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      const plain = JSON.parse(JSON.stringify(record)) as Record<string, string | number | null>
      const members = Object.entries(plain).map(([name, value]) => jsonMember(name, toJson(value)))
      expect(JSON.parse(jsonObject(members))).toEqual(plain)
      const values = Object.values(plain).map((value) => storedJson(JSON.stringify(value)))
      expect(JSON.parse(jsonArray(values))).toEqual(Object.values(plain))
    }),
  )
})

test('an object or an array without members is empty', () => {
  expect([jsonObject([]), jsonArray([])]).toEqual(['{}', '[]'])
})
