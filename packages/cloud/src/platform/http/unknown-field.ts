import { closestName } from '@plantroom/base/closest-name'
import type { FastifySchemaValidationError } from 'fastify'

/** An error of Ajv with the schema and the object that it is about, which it has with `verbose`. */
type VerboseError = FastifySchemaValidationError & {
  parentSchema?: { properties?: object; additionalProperties?: unknown }
  data?: unknown
}

/**
 * Returns the error about a field that a closed object does not declare, and the name that the caller may have meant.
 * Returns `undefined` for any other error. Ajv reports a missing field before an unknown one: if the unknown one is
 * close to it, the caller has misspelt it, and that is the error.
 */
export function findUnknownField(
  error: VerboseError,
): { error: FastifySchemaValidationError; meant: string | undefined } | undefined {
  const { keyword, params, parentSchema, data } = error
  if (parentSchema?.additionalProperties !== false) return undefined
  const known = Object.keys(parentSchema.properties ?? {})
  if (keyword === 'additionalProperties') {
    return { error, meant: closestName(String(params.additionalProperty), known) }
  }
  if (keyword !== 'required' || typeof data !== 'object' || data === null) return undefined
  const missing = String(params.missingProperty)
  const misspelt = Object.keys(data).find((name) => !known.includes(name) && closestName(name, known) === missing)
  if (misspelt === undefined) return undefined
  return {
    error: { ...error, keyword: 'additionalProperties', params: { additionalProperty: misspelt } },
    meant: missing,
  }
}
