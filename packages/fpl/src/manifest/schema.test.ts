import { writeFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { manifestSchema, manifestSchemaBytes } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

if (process.env.PLANTROOM_WRITE_SCHEMA) {
  const published = new URL('../../schemas/ticket-export-v1.json', import.meta.url)
  writeFileSync(published, `${JSON.stringify(manifestSchema, null, 2)}\n`)
}

describe('the published schema', () => {
  const schema = JSON.parse(Buffer.from(manifestSchemaBytes()).toString()) as Json

  test('is the one the checker reads', () => {
    expect(manifestSchema).toEqual(schema)
  })

  test('is a valid draft-07 schema without unknown keywords', () => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } })
    expect(ajv.validateSchema(schema)).toBe(true)
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#')
    expect(() => ajv.compile(schema)).not.toThrow()
  })

  test('alone rejects what is not a manifest, for programs that use no other check', () => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } })
    const accepts = ajv.compile(schema)
    const manifest = { version: '1.0', tickets: [{ externalId: 'A', title: 'T', state: 'new' }] }
    expect(accepts(manifest)).toBe(true)
    expect(accepts({ ...manifest, $schema: 'https://x', exportedAt: '2026-01-01T00:00:00Z' })).toBe(true)
    for (const wrong of [null, [], { ...manifest, Version: '1.0' }, { tickets: [] }, { version: '1.0' }]) {
      expect(accepts(wrong), JSON.stringify(wrong)).toBe(false)
    }
  })

  // `describe-problems.ts` interprets the schema on its own: it would reject a value for an unknown keyword without an
  // explanation.
  test('uses only keywords that the checker can explain', () => {
    const known = [
      '$ref',
      'type',
      'enum',
      'minLength',
      'maxLength',
      'minimum',
      'maximum',
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

  test('uses alternatives only where one rule explains all of them', () => {
    const definitions = Object.entries(schema.definitions as Record<string, Json>)
    const withAlternatives = definitions.filter(([, definition]) => 'anyOf' in definition).map(([name]) => name)
    expect(withAlternatives).toEqual(['comment', 'person'])
  })

  test('describes every field, for authors who write a manifest in an editor', () => {
    for (const { properties } of subschemasOf(schema)) {
      for (const field of Object.values((properties ?? {}) as Record<string, Json>)) {
        expect(field.description).toMatch(/^\S.*\.$/)
      }
    }
  })

  test('has only a description beside a reference, because draft-07 readers ignore siblings of $ref', () => {
    for (const each of subschemasOf(schema)) {
      if ('$ref' in each) expect(Object.keys(each).filter((keyword) => keyword !== 'description')).toEqual(['$ref'])
    }
  })
})

/** The schema and all its subschemas, except alternatives. */
function subschemasOf(schema: Json): Json[] {
  const below = ['properties', 'definitions'].flatMap((keyword) => Object.values((schema[keyword] ?? {}) as Json))
  return [schema, ...[...below, ...(schema.items ? [schema.items] : [])].flatMap((each) => subschemasOf(each as Json))]
}
