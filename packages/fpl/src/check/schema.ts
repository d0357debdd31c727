import { readFileSync } from 'node:fs'

export type TypeName = 'string' | 'integer' | 'boolean' | 'array' | 'object' | 'null'

/** The subset of JSON Schema that `ticket-export-v1` uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: TypeName | readonly TypeName[]
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

export interface ManifestSchema extends Schema {
  readonly $id: string
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Schema>>
  readonly definitions: Readonly<Record<string, Schema>>
}

/** Returns the published schema of a manifest, byte for byte. */
export function manifestSchemaBytes(): Uint8Array {
  return readFileSync(new URL('../../schemas/ticket-export-v1.json', import.meta.url))
}

let parsed: ManifestSchema | undefined

export function manifestSchema(): ManifestSchema {
  parsed ??= JSON.parse(new TextDecoder().decode(manifestSchemaBytes())) as ManifestSchema
  return parsed
}
