import { Failure, type FailureKind } from '@plantroom/contract/failure'
import { EMAIL, NOT_BLANK, UUID } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import { manifestSchema } from '@plantroom/fpl/check/schema'
import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { CURSOR, STORABLE } from '../db/patterns.ts'

/** The body of every error. `code` is a stable word for programs, `message` is for people. */
export interface ErrorBody {
  message: string
  code: string
  reqId: string
  field?: string
}

interface Answer {
  status: number
  body: ErrorBody
}

const ANSWERS: Record<FailureKind, { status: number; code: string }> = {
  invalid: { status: 400, code: 'INVALID' },
  unauthenticated: { status: 401, code: 'UNAUTHENTICATED' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  notFound: { status: 404, code: 'NOT_FOUND' },
  conflict: { status: 409, code: 'CONFLICT' },
  tooMany: { status: 429, code: 'TOO_MANY_ATTEMPTS' },
  rejected: { status: 499, code: 'DEVICE_REJECTED' }, // the device refused; nothing was applied
  offline: { status: 502, code: 'DEVICE_OFFLINE' },
  unavailable: { status: 503, code: 'UNAVAILABLE' },
}

/** The limits of a route, for errors that name them. */
export interface RouteLimits {
  bodyLimit: number
  /** The remedy for a body that exceeds a limit. */
  whenTooLarge?: string | undefined
}

/** Turns a thrown error into an answer; returns `undefined` for an unexpected error. */
export function toAnswer(error: unknown, reqId: string, limits: RouteLimits): Answer | undefined {
  if (error instanceof Failure) {
    const { status, code } = ANSWERS[error.kind]
    const field = error.field ?? (error.kind === 'invalid' ? 'body' : undefined)
    return { status, body: { message: error.message, code, reqId, ...(field !== undefined && { field }) } }
  }
  const { validation, statusCode, code, message: thrown } = error as FastifyError
  if (validation?.[0]) return invalid(validation[0], reqId, limits)
  if (statusCode === 413) {
    const message = `the body exceeds the limit of ${limits.bodyLimit} bytes: ${limits.whenTooLarge ?? 'send less'}`
    return { status: 413, body: { message, code: 'TOO_LARGE', reqId } }
  }
  if (statusCode === 414) return { status: 414, body: { message: thrown, code: 'URL_TOO_LONG', reqId } }
  if (statusCode === 415) {
    const message = 'send JSON with the header "Content-Type: application/json"'
    return { status: 415, body: { message, code: 'UNSUPPORTED_MEDIA_TYPE', reqId } }
  }
  if (statusCode === 400) {
    const message = BODY_RULES[code] ?? 'the body is not valid JSON'
    return { status: 400, body: { message, code: 'INVALID', reqId, field: 'body' } }
  }
  return undefined
}

const BODY_RULES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'the body is empty; send a JSON object',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the length of the body differs from the Content-Length header',
}

function invalid(problem: FastifySchemaValidationError, reqId: string, limits: RouteLimits): Answer {
  const at = problem.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { missingProperty, additionalProperty } = problem.params as Record<string, string | undefined>
  const missing = missingProperty ?? additionalProperty
  if (missing !== undefined) at.push(missing)
  const path = at.reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part),
    '',
  )
  const field = shown(path)
  const remedy = problem.keyword === 'maxItems' && limits.whenTooLarge ? `: ${limits.whenTooLarge}` : ''
  const message = `${field || 'the body'} ${rule(problem)}${remedy}`
  return { status: 400, body: { message, code: 'INVALID', reqId, field: field || 'body' } }
}

function rule({ keyword, params, message }: FastifySchemaValidationError): string {
  const values = params as Record<string, unknown>
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not a known field'
    case 'type':
      return values.type === 'number'
        ? 'must be a finite number'
        : `must be of type ${[values.type].flat().join(' or ')}`
    case 'enum':
      return `must be one of: ${(values.allowedValues as unknown[]).map(String).join(', ')}`
    case 'minimum':
      return `must be at least ${String(values.limit)}`
    case 'maximum':
      return `must be at most ${String(values.limit)}`
    case 'minLength':
      return `must have at least ${String(values.limit)} characters`
    case 'maxLength':
      return `must have at most ${String(values.limit)} characters`
    case 'minItems':
      return `must have at least ${String(values.limit)} items`
    case 'maxItems':
      return `must have at most ${String(values.limit)} items`
    case 'format':
      return 'must be a time with a zone, such as 2026-01-31T12:00:00Z'
    case 'pattern':
      return PATTERN_RULES[String(values.pattern)] ?? `must match ${String(values.pattern)}`
    default:
      return message ?? 'is not valid'
  }
}

const PATTERN_RULES: Record<string, string> = {
  [NOT_BLANK]: 'must not be blank',
  [UUID]: 'must be a UUID',
  [EMAIL]: 'must be an email address',
  [manifestSchema().definitions.email?.pattern ?? '']: 'must be an email address',
  [STORABLE]: 'must not be empty or contain the character U+0000',
  [CURSOR]: 'must be the nextCursor of an earlier answer',
}
