import { describeSchemaError, type SchemaError, type SchemaErrorDescription } from './describe-error.ts'
import { schemaExpression } from './expressions.ts'
import type { Schema } from './schema.ts'
import { parseTimestamp } from './timestamp.ts'

type Add = (keyword: string, path: string, params: Readonly<Record<string, unknown>>) => void

/**
 * Returns what a value breaks of a schema, in the order of the value and at most `limit` of it, worded as everywhere.
 * It knows the keywords that `schema.ts` writes. Routes validate with Ajv; this is for lists of mistakes, where Ajv either
 * stops at the first one or collects millions, and for messages between programs (`read.ts`).
 */
export function schemaProblems(schema: Schema, value: unknown, limit: number): SchemaErrorDescription[] {
  const found: SchemaError[] = []
  const add: Add = (keyword, instancePath, params) => {
    if (found.length < limit) found.push({ keyword, instancePath, params })
  }
  check(schema, value, { path: '', add, isFull: () => found.length >= limit })
  return found.map((error) => describeSchemaError(error))
}

interface At {
  path: string
  add: Add
  isFull: () => boolean
}

function check(schema: Schema, value: unknown, at: At): void {
  if (at.isFull()) return
  // The allowed values say more than their type.
  if (schema.enum && !schema.enum.includes(value)) at.add('enum', at.path, { allowedValues: schema.enum })
  else if (schema.type !== undefined && !isOfType(schema.type, value)) at.add('type', at.path, { type: schema.type })
  checkContent(schema, value, at)
}

function checkContent(schema: Schema, value: unknown, at: At): void {
  if (typeof value === 'string') checkText(schema, value, at)
  else if (typeof value === 'number') checkNumber(schema, value, at)
  else if (Array.isArray(value)) checkList(schema, value, at)
  else if (typeof value === 'object' && value !== null) checkObject(schema, value as Record<string, unknown>, at)
}

function isOfType(type: string | readonly string[], value: unknown): boolean {
  return [type].flat().some((each) => {
    switch (each) {
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
        return typeof value === each
    }
  })
}

function checkText({ minLength, maxLength, pattern, format }: Schema, value: string, { path, add }: At): void {
  if (typeof minLength === 'number' && lengthOf(value) < minLength) add('minLength', path, { limit: minLength })
  if (typeof maxLength === 'number' && lengthOf(value) > maxLength) add('maxLength', path, { limit: maxLength })
  if (typeof pattern === 'string' && !schemaExpression(pattern).test(value)) add('pattern', path, { pattern })
  if (typeof format === 'string' && FORMATS[format]?.(value) === false) add('format', path, { format })
}

/** JSON Schema counts characters, not UTF-16 units. */
const lengthOf = (value: string) => (value.length > 10_000 ? value.length : [...value].length)

const LONGEST_TIME = 40
/** A time as callers write it, and as programs of any version wrote it. */
const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  timestamp: (value) => parseTimestamp(value) !== undefined,
  'date-time': (value) => value.length <= LONGEST_TIME && !Number.isNaN(Date.parse(value)),
}

function checkNumber({ minimum, maximum }: Schema, value: number, { path, add }: At): void {
  if (typeof minimum === 'number' && value < minimum) add('minimum', path, { limit: minimum })
  if (typeof maximum === 'number' && value > maximum) add('maximum', path, { limit: maximum })
}

function checkList({ items, minItems, maxItems, uniqueItems }: Schema, value: readonly unknown[], at: At): void {
  const { path, add } = at
  if (typeof minItems === 'number' && value.length < minItems) add('minItems', path, { limit: minItems })
  const isTooLong = typeof maxItems === 'number' && value.length > maxItems
  if (isTooLong) add('maxItems', path, { limit: maxItems })
  if (uniqueItems === true && new Set(value).size < value.length) add('uniqueItems', path, {})
  if (!items || isTooLong) return
  for (const [index, item] of value.entries()) {
    if (at.isFull()) return
    check(items, item, { ...at, path: `${path}/${index}` })
  }
}

function checkObject(schema: Schema, value: Readonly<Record<string, unknown>>, at: At): void {
  const { properties = {}, required = [], additionalProperties } = schema
  for (const name of required)
    if (!Object.hasOwn(value, name) || value[name] === undefined) at.add('required', at.path, { missingProperty: name })
  for (const [name, item] of Object.entries(value)) {
    if (at.isFull()) return
    // JSON has no such field.
    if (item === undefined) continue
    const path = `${at.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known) check(known, item, { ...at, path })
    else if (additionalProperties === false) {
      at.add('additionalProperties', at.path, { additionalProperty: name })
    } else if (typeof additionalProperties === 'object') check(additionalProperties, item, { ...at, path })
  }
}
