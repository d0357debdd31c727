import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { describeSchemaError, type PatternRules } from './describe-error.ts'
import { EMAIL, NOT_BLANK, UUID } from './patterns.ts'

const ajv = new Ajv({ allowUnionTypes: true, formats: { timestamp: () => false } })

/** Describes the first error in `value`, as `path: rule`. */
function describeFirst(schema: object, value: unknown, patternRules?: PatternRules): string {
  const validate = ajv.compile(schema)
  validate(value)
  const error = validate.errors?.[0]
  if (!error) throw new Error('the value is valid')
  const { path, rule } = describeSchemaError(error, patternRules)
  return `${path}: ${rule}`
}

describe('describeSchemaError', () => {
  test.each([
    [{ type: 'number' }, 'x', 'must be a finite number'],
    [{ type: ['string', 'null'] }, 1, 'must be of type string or null'],
    [{ enum: ['a', 'b'] }, 'c', 'must be one of: a, b'],
    [{ type: 'number', minimum: 2 }, 1, 'must be at least 2'],
    [{ type: 'number', maximum: 2 }, 3, 'must be at most 2'],
    [{ type: 'string', minLength: 1 }, '', 'must have at least 1 character'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'must have at most 2 characters'],
    [{ type: 'array', minItems: 2 }, [], 'must have at least 2 items'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'must have at most 1 item'],
    [{ type: 'string', format: 'timestamp' }, 'now', 'must be a time with a zone, such as 2026-01-31T12:00:00Z'],
    [{ type: 'string', pattern: NOT_BLANK }, ' ', 'must not be blank'],
    [{ type: 'string', pattern: UUID }, 'x', 'must be a UUID'],
    [{ type: 'string', pattern: EMAIL }, 'x', 'must be an email address'],
    [{ type: 'string', pattern: '^a$' }, 'x', 'must match ^a$'],
    [{ type: 'number', multipleOf: 2 }, 3, 'must be multiple of 2'],
  ])('words the rule of %j', (schema, value, rule) => {
    expect(describeFirst(schema, value)).toBe(`: ${rule}`)
  })

  test('points at a missing field and at an unknown one', () => {
    const item = { type: 'object', properties: {}, required: ['name'], additionalProperties: false }
    const schema = { type: 'object', properties: { list: { type: 'array', items: item } } }
    expect(describeFirst(schema, { list: [{}] })).toBe('list[0].name: is missing')
    expect(describeFirst({ type: 'object', additionalProperties: false }, { 'a/b~c': 1 })).toBe(
      'a/b~c: is not a known field',
    )
  })

  test('uses the wording given for a pattern', () => {
    expect(describeFirst({ type: 'string', pattern: '^v' }, 'x', { '^v': 'must start with v' })).toBe(
      ': must start with v',
    )
  })

  test('escapes hidden characters in a field name', () => {
    expect(describeFirst({ type: 'object', additionalProperties: false }, { 'a\u202eb': 1 })).toBe(
      'a\\u202eb: is not a known field',
    )
  })
})
