import { describeSchemaError, type PatternRules } from '@plantroom/contract/describe-error'
import { Failure, type FailureKind } from '@plantroom/contract/failure'
import { manifestSchema } from '@plantroom/fpl/manifest-schema'
import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { CURSOR } from '../db/paging.ts'
import { STORABLE } from '../db/storable.ts'

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
  rejected: { status: 499, code: 'DEVICE_REJECTED' }, // the device said no; nothing was applied
  offline: { status: 502, code: 'DEVICE_OFFLINE' },
  unavailable: { status: 503, code: 'UNAVAILABLE' },
}

/** What the route of a request accepts, for the errors that name it. */
export interface RouteLimits {
  bodyLimit: number
  /** What to do about a body that exceeds a limit. */
  whenTooLarge?: string | undefined
}

/** Turns what was thrown into an answer; returns `undefined` for an unexpected error. */
export function toAnswer(error: unknown, reqId: string, limits: RouteLimits): Answer | undefined {
  if (error instanceof Failure) {
    const { status, code } = ANSWERS[error.kind]
    const field = error.field ?? (error.kind === 'invalid' ? 'body' : undefined)
    return { status, body: { message: error.message, code, reqId, ...(field !== undefined && { field }) } }
  }
  const { validation, statusCode, code, message: thrown } = error as FastifyError
  if (validation?.[0]) return invalid(validation[0], reqId, limits)
  if (statusCode === 413) {
    const message = `the body has more than the ${limits.bodyLimit} bytes that are accepted here: ${limits.whenTooLarge ?? 'send less'}`
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
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body has another length than the Content-Length header says',
}

function invalid(error: FastifySchemaValidationError, reqId: string, limits: RouteLimits): Answer {
  const { path, rule } = describeSchemaError(error, PATTERN_RULES)
  const remedy = error.keyword === 'maxItems' && limits.whenTooLarge ? `: ${limits.whenTooLarge}` : ''
  const message = `${path || 'the body'} ${rule}${remedy}`
  return { status: 400, body: { message, code: 'INVALID', reqId, field: path || 'body' } }
}

const PATTERN_RULES: PatternRules = {
  [manifestSchema.definitions.email.pattern]: 'must be an email address',
  [STORABLE]: 'must not be empty or hold the character U+0000',
  [CURSOR]: 'must be the nextCursor of an earlier answer',
}
