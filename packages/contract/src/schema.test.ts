import { Ajv } from 'ajv'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  anyObject,
  anyOf,
  array,
  closedObject,
  defaulted,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  partial,
  record,
  type Schema,
  type Static,
  text,
  type Validated,
} from './schema.ts'

const ajv = new Ajv({ useDefaults: true, allowUnionTypes: true })
const accepts = (schema: Schema, value: unknown) => ajv.compile(schema)(value)

const Room = object({
  name: text({ minLength: 1 }),
  floor: nullable(integer()),
  use: oneOf(['office', 'plant']),
  limit: defaulted(integer(), 10),
  tags: optional(array(text())),
})

describe('an object', () => {
  test('has the type of its fields', () => {
    expectTypeOf<Static<typeof Room>>().toEqualTypeOf<{
      name: string
      floor: number | null
      use: 'office' | 'plant'
      limit?: number
      tags?: readonly string[]
    }>()
  })

  test('has its defaults after validation', () => {
    expectTypeOf<Validated<typeof Room>['limit']>().toEqualTypeOf<number>()
    const room = { name: 'Attic', floor: null, use: 'plant' }
    expect(accepts(Room, room)).toBe(true)
    expect(room).toEqual({ name: 'Attic', floor: null, use: 'plant', limit: 10 })
  })

  test('requires the fields that are neither optional nor defaulted, and ignores others', () => {
    expect(Room.required).toEqual(['name', 'floor', 'use'])
    expect(accepts(Room, { name: 'Attic', floor: 4, use: 'plant', colour: 'red' })).toBe(true)
    expect(accepts(Room, { name: 'Attic', use: 'plant' })).toBe(false)
  })

  test('passes its fields on, optional ones as such', () => {
    const Named = object({ ...Room.properties, id: text() })
    expect(Named.required).toEqual(['name', 'floor', 'use', 'id'])
  })

  test('that is closed rejects a misspelt field', () => {
    const Closed = closedObject(Room.properties)
    expect(accepts(Closed, { name: 'Attic', floor: 4, use: 'plant', flor: 4 })).toBe(false)
  })

  test('that is partial requires nothing', () => {
    const Changes = partial({ name: text(), floor: integer() })
    expectTypeOf<Static<typeof Changes>>().toEqualTypeOf<{ name?: string; floor?: number }>()
    expect(accepts(Changes, {})).toBe(true)
    expect(accepts(Changes, { name: 7 })).toBe(false)
  })
})

describe('a value', () => {
  test.each([
    ['nullable', nullable(oneOf(['a', 'b'])), ['a', null], ['c', 1]],
    ['one of numbers', oneOf([1, 0, -1]), [1, -1], [2, '1']],
    ['any of several types', anyOf([number(), text()]), [1, 'x'], [null, {}]],
    ['a record', record(number()), [{}, { a: 1 }], [{ a: 'x' }, 1]],
    ['any object', anyObject(), [{}, { a: 'x' }], [1, null]],
  ])('that is %s', (_what, schema, right, wrong) => {
    for (const value of right) expect(accepts(schema, value)).toBe(true)
    for (const value of wrong) expect(accepts(schema, value)).toBe(false)
  })
})

test('a schema is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(Room))).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      floor: { type: ['integer', 'null'] },
      use: { type: 'string', enum: ['office', 'plant'] },
      limit: { type: 'integer', default: 10 },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['name', 'floor', 'use'],
  })
})
