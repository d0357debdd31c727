import { createRequire } from 'node:module'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { Ajv, ValidateFunction } from 'ajv'
import type { ManifestTicket } from '../manifest/manifest.ts'
import { manifestSchema } from '../manifest/schema.ts'

const require = createRequire(import.meta.url)

let ajv: Ajv | undefined
const validators = new Map<string, ValidateFunction>()

/** True if a ticket follows the published schema. Compiles the schema on first use. */
export function followsSchema(ticket: unknown): ticket is ManifestTicket {
  return followsDefinition('ticket', ticket)
}

/** True if a value follows a definition of the published schema. */
export function followsDefinition(name: string, value: unknown): boolean {
  let validate = validators.get(name)
  if (!validate) {
    ajv ??= createAjv()
    validate = ajv.compile({ $ref: `${manifestSchema.$id}#/definitions/${name}` })
    validators.set(name, validate)
  }
  return validate(value)
}

// Days that exist in every month, in years where no offset can leave the valid range. Everything else goes to
// `parseTimestamp`, which is twenty times slower.
const SURELY_A_DATE_TIME =
  /^[1-8]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** True for an RFC 3339 time with a zone, on a day that exists. */
export function isDateTime(text: string): boolean {
  return SURELY_A_DATE_TIME.test(text) || parseTimestamp(text) !== undefined
}

function createAjv(): Ajv {
  // Loading Ajv and compiling take 100 ms, which a caller that only imports this file should not pay.
  const ajvModule = require('ajv') as { Ajv: typeof Ajv }
  // Ajv stops at the first error: collecting a million errors of one ticket would take hundreds of megabytes.
  const created = new ajvModule.Ajv({
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
    formats: { 'date-time': isDateTime },
  })
  return created.addSchema(manifestSchema)
}
