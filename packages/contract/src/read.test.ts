import { describe, expect, expectTypeOf, test } from 'vitest'
import { read, readIfValid, SchemaMismatch } from './read.ts'
import { anyObject, array, defaulted, integer, nullable, object, optional, record, text } from './schema.ts'

const Thing = object({
  name: text({ minLength: 1 }),
  at: optional(text({ format: 'date-time' })),
  limit: defaulted(integer({ minimum: 1 }), 100),
  parts: array(object({ id: text() })),
  byName: optional(record(object({ id: text() }))),
  settings: optional(anyObject()),
  next: nullable(object({ id: text() })),
})
const THING = { name: 'a', parts: [{ id: '1' }], next: null }

describe('a value that is read', () => {
  test('has its declared fields, at every depth, and defaults', () => {
    const given = { ...THING, more: 1, parts: [{ id: '1', more: [] }], byName: { a: { id: '2', more: 2 } } }
    expect(read(Thing, given)).toEqual({ ...THING, limit: 100, byName: { a: { id: '2' } } })
    expectTypeOf(read(Thing, given).limit).toEqualTypeOf<number>()
  })

  test('keeps an object of any shape as it is', () => {
    const settings = { host: 'a', deep: [{ x: 1 }] }
    expect(read(Thing, { ...THING, settings }).settings).toEqual(settings)
  })

  test('does not change the prototype of what it returns', () => {
    const given = JSON.parse('{"name":"a","parts":[],"next":null,"byName":{"__proto__":{"id":"x"}}}')
    const { byName = {} } = read(Thing, given)
    expect([Object.getPrototypeOf(byName), Object.keys(byName)]).toEqual([Object.prototype, ['__proto__']])
  })

  test.each([
    [null, 'it must be of type object'],
    [{ ...THING, name: '' }, 'name must have at least 1 character'],
    [{ ...THING, parts: [{ id: '1' }, {}] }, 'parts[1].id is missing'],
    [{ ...THING, byName: { a: 7 } }, 'byName.a must be of type object'],
    [{ ...THING, at: 'yesterday' }, 'at must be a time with a zone, such as 2026-01-31T12:00:00Z'],
    [{ ...THING, limit: 0.5 }, 'limit must be of type integer'],
  ])('is refused with the first field that does not fit: %j', (given, message) => {
    expect(() => read(Thing, given)).toThrow(new SchemaMismatch(message))
    expect(readIfValid(Thing, given)).toBeUndefined()
  })
})
