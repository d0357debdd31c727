import { createRequire } from 'node:module'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { Ajv } from 'ajv'
import { manifestSchema } from './schema.ts'

const require = createRequire(import.meta.url)

let judge: ((ticket: unknown) => boolean) | undefined

/** Whether a ticket is as the published schema says. The schema is compiled at the first question. */
export function followsSchema(ticket: unknown): boolean {
  judge ??= compile()
  return judge(ticket)
}

// Days that every month has, in years that no offset leads out of. All other times are for `parseTimestamp` to judge, which
// takes twenty times as long.
const SURELY_A_DATE_TIME =
  /^[1-8]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** An RFC 3339 time with a zone, on a day that there is. */
export function isDateTime(text: string): boolean {
  return SURELY_A_DATE_TIME.test(text) || parseTimestamp(text) !== undefined
}

function compile(): (ticket: unknown) => boolean {
  // Loading and compiling take a tenth of a second, which whoever only imports this file should not wait for.
  const ajvModule = require('ajv') as { Ajv: typeof Ajv }
  // It stops at the first mistake: a list of all of them, a million in one ticket, would take hundreds of megabytes.
  const ajv = new ajvModule.Ajv({
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
    formats: { 'date-time': isDateTime },
  })
  const schema = manifestSchema()
  return ajv.addSchema(schema).compile({ $ref: `${schema.$id}#/definitions/ticket` })
}
