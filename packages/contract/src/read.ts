import type { Fields, Schema, Validated } from './schema.ts'
import { schemaProblems } from './schema-problems.ts'

/** A value is not what its schema declares. The message names the first field that differs, and its rule. */
export class SchemaMismatch extends Error {}

/**
 * Checks a value from outside and returns its declared fields, with defaults for missing ones. Throws a `SchemaMismatch`
 * when it breaks the schema.
 */
export function read<Of extends Schema>(schema: Of, value: unknown): Validated<Of> {
  return declaredIn(schema, accept(schema, value)) as Validated<Of>
}

/** Checks a value as `read` does, and returns it as it is: a long list is not copied. For schemas without defaults. */
export function accept<Of extends Schema>(schema: Of, value: unknown): Validated<Of> {
  const [problem] = schemaProblems(schema, value, 1)
  if (problem) throw new SchemaMismatch(`${problem.path === '' ? 'it' : problem.path} ${problem.rule}`)
  return value as Validated<Of>
}

/** Returns what `read` does; `undefined` instead of an error. */
export function readIfValid<Of extends Schema>(schema: Of, value: unknown): Validated<Of> | undefined {
  return schemaProblems(schema, value, 1).length === 0 ? (declaredIn(schema, value) as Validated<Of>) : undefined
}

function declaredIn(schema: Schema, value: unknown): unknown {
  const { items, properties, additionalProperties: others } = schema
  if (Array.isArray(value)) return items ? value.map((item) => declaredIn(items, item)) : value
  if (typeof value !== 'object' || value === null) return value
  if (properties) return fieldsIn(properties, value as Record<string, unknown>)
  if (typeof others !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, declaredIn(others, item)]))
}

// Lists of thousands of objects pass here: no list is made for each of them.
function fieldsIn(properties: Fields, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(properties)) {
    const schema = properties[name]
    const given = schema && Object.hasOwn(value, name) ? value[name] : undefined
    if (schema && given !== undefined) fields[name] = declaredIn(schema, given)
    else if (schema?.default !== undefined) fields[name] = schema.default
  }
  return fields
}
