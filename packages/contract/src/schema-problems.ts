import { describeSchemaError, type SchemaError, type SchemaErrorDescription } from './describe-error.ts'
import { schemaExpression } from './expressions.ts'
import type { Schema } from './schema.ts'
import { parseTimestamp } from './timestamp.ts'

/**
 * Returns what a value breaks of a schema, in the order of the value and at most `limit` of it, worded as everywhere.
 * It knows the keywords that `schema.ts` writes. Routes validate with Ajv; this is for lists of mistakes, where Ajv either
 * stops at the first one or collects millions, and for messages between programs (`read.ts`).
 */
export function schemaProblems(schema: Schema, value: unknown, limit: number): SchemaErrorDescription[] {
  const found: SchemaError[] = []
  check(schema, value, { found, limit, above: undefined, step: '' })
  return found.map((error) => describeSchemaError(error))
}

/** A place in the value. Its path is made only for an error, because nearly every value has none. */
interface At {
  readonly found: SchemaError[]
  readonly limit: number
  readonly above: At | undefined
  readonly step: string | number
}

const isFull = ({ found, limit }: At) => found.length >= limit
const below = (at: At, step: string | number): At => ({ found: at.found, limit: at.limit, above: at, step })

function add(at: At, keyword: string, params: Readonly<Record<string, unknown>>): void {
  if (!isFull(at)) at.found.push({ keyword, instancePath: pathOf(at), params })
}

function pathOf({ above, step }: At): string {
  return above ? `${pathOf(above)}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}` : ''
}

function check(schema: Schema, value: unknown, at: At): void {
  if (isFull(at)) return
  // The allowed values say more than their type.
  if (schema.enum && !schema.enum.includes(value)) add(at, 'enum', { allowedValues: schema.enum })
  else if (schema.type !== undefined && !isOfTypes(schema.type, value)) add(at, 'type', { type: schema.type })
  checkContent(schema, value, at)
}

function checkContent(schema: Schema, value: unknown, at: At): void {
  if (typeof value === 'string') checkText(schema, value, at)
  else if (typeof value === 'number') checkNumber(schema, value, at)
  else if (Array.isArray(value)) checkList(schema, value, at)
  else if (typeof value === 'object' && value !== null) checkObject(schema, value as Record<string, unknown>, at)
}

const isOfTypes = (types: string | readonly string[], value: unknown) =>
  typeof types === 'string' ? isOfType(types, value) : types.some((type) => isOfType(type, value))

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function checkText({ minLength, maxLength, pattern, format }: Schema, value: string, at: At): void {
  if (typeof minLength === 'number' && isShorter(value, minLength)) add(at, 'minLength', { limit: minLength })
  if (typeof maxLength === 'number' && isLonger(value, maxLength)) add(at, 'maxLength', { limit: maxLength })
  if (typeof pattern === 'string' && !schemaExpression(pattern).test(value)) add(at, 'pattern', { pattern })
  if (typeof format === 'string' && FORMATS[format]?.(value) === false) add(at, 'format', { format })
}

// JSON Schema counts characters. They are counted only where the number of UTF-16 units does not decide.
const isShorter = (value: string, limit: number) => value.length < 2 * limit && charactersIn(value) < limit
const isLonger = (value: string, limit: number) => value.length > limit && charactersIn(value) > limit
const charactersIn = (value: string) => (value.length > 10_000 ? value.length : [...value].length)

const LONGEST_TIME = 40
/** A time as callers write it, and as programs of any version wrote it. */
const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  timestamp: (value) => parseTimestamp(value) !== undefined,
  'date-time': (value) => value.length <= LONGEST_TIME && !Number.isNaN(Date.parse(value)),
}

function checkNumber({ minimum, maximum }: Schema, value: number, at: At): void {
  if (typeof minimum === 'number' && value < minimum) add(at, 'minimum', { limit: minimum })
  if (typeof maximum === 'number' && value > maximum) add(at, 'maximum', { limit: maximum })
}

function checkList({ items, minItems, maxItems, uniqueItems }: Schema, value: readonly unknown[], at: At): void {
  if (typeof minItems === 'number' && value.length < minItems) add(at, 'minItems', { limit: minItems })
  const isTooLong = typeof maxItems === 'number' && value.length > maxItems
  if (isTooLong) add(at, 'maxItems', { limit: maxItems })
  if (uniqueItems === true && new Set(value).size < value.length) add(at, 'uniqueItems', {})
  if (!items || isTooLong) return
  for (let index = 0; index < value.length; index += 1) {
    if (isFull(at)) return
    check(items, value[index], below(at, index))
  }
}

function checkObject(schema: Schema, value: Readonly<Record<string, unknown>>, at: At): void {
  const { properties, required = [], additionalProperties } = schema
  for (const name of required)
    if (!Object.hasOwn(value, name) || value[name] === undefined) add(at, 'required', { missingProperty: name })
  for (const name of Object.keys(value)) {
    if (isFull(at)) return
    const item = value[name]
    // JSON has no such field.
    if (item === undefined) continue
    const known = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known) check(known, item, below(at, name))
    else if (additionalProperties === false) add(at, 'additionalProperties', { additionalProperty: name })
    else if (typeof additionalProperties === 'object') check(additionalProperties, item, below(at, name))
  }
}
