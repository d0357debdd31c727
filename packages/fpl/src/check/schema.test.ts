import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { manifestSchema, manifestSchemaBytes } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

describe('the published schema', () => {
  const schema = JSON.parse(Buffer.from(manifestSchemaBytes()).toString()) as Json

  test('is the one that the checker reads', () => {
    expect(manifestSchema()).toEqual(schema)
  })

  test('is a draft-07 schema without anything unknown in it', () => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } })
    expect(ajv.validateSchema(schema)).toBe(true)
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#')
    expect(() => ajv.compile(schema)).not.toThrow()
  })

  // What explains mistakes reads the schema by itself: a keyword that it does not know would refuse without a word.
  test('is written in the keywords that have words for their mistakes', () => {
    const known = [
      '$ref',
      'type',
      'enum',
      'minLength',
      'maxLength',
      'pattern',
      'format',
      'items',
      'required',
      'properties',
    ]
    const annotations = ['$schema', '$id', 'title', 'description', 'definitions', 'additionalProperties', 'anyOf']
    for (const each of subschemasOf(schema)) {
      for (const keyword of Object.keys(each)) expect([...known, ...annotations]).toContain(keyword)
    }
  })

  test('has alternatives only where a rule is told as a whole', () => {
    const definitions = Object.entries(schema.definitions as Record<string, Json>)
    const withAlternatives = definitions.filter(([, definition]) => 'anyOf' in definition).map(([name]) => name)
    expect(withAlternatives).toEqual(['comment', 'person'])
  })

  test('describes every field, for whoever writes a manifest in an editor', () => {
    for (const { properties } of subschemasOf(schema)) {
      for (const field of Object.values((properties ?? {}) as Record<string, Json>)) {
        expect(field.description).toMatch(/^\S.*\.$/)
      }
    }
  })

  test('says nothing beside a reference but what it is for: other readers of draft-07 would not see it', () => {
    for (const each of subschemasOf(schema)) {
      if ('$ref' in each) expect(Object.keys(each).filter((keyword) => keyword !== 'description')).toEqual(['$ref'])
    }
  })
})

/** The schema and all below it; alternatives are left out. */
function subschemasOf(schema: Json): Json[] {
  const below = ['properties', 'definitions'].flatMap((keyword) => Object.values((schema[keyword] ?? {}) as Json))
  return [schema, ...[...below, ...(schema.items ? [schema.items] : [])].flatMap((each) => subschemasOf(each as Json))]
}
