import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { describeSchemaError, type PatternRules } from '@plantroom/contract/describe-error'
import { ERRORS, FAILURES, Failure } from '@plantroom/contract/failure'
import { CURSOR } from '@plantroom/contract/fields'
import { STORABLE } from '@plantroom/contract/patterns'
import { manifestSchema } from '@plantroom/fpl/manifest-schema'
import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { isTimeout, isUnreachable } from '../db/database.ts'
import { findUnknownField } from './unknown-field.ts'

/** The body of every error. `code` is a stable word for programs, `message` is for people. */
interface ErrorBody {
  message: string
  code: string
  reqId: string
  field?: string
}

interface Answer {
  status: number
  /** Seconds, for the `Retry-After` header. */
  retryAfterS?: number | undefined
  body: ErrorBody
}

const RETRY_BUSY_S = 5

/** The limits of a route, for errors that name them. */
interface RouteLimits {
  bodyLimit: number
  /** The remedy for a body that exceeds a limit. */
  whenTooLarge?: string | undefined
}

/** Turns a thrown error into an answer; returns `undefined` for an unexpected error. */
export function toAnswer(error: unknown, reqId: string, limits: RouteLimits): Answer | undefined {
  if (error instanceof Failure) {
    const code = FAILURES[error.kind]
    const { status } = ERRORS[code]
    const field = error.field ?? (error.kind === 'invalid' ? 'body' : undefined)
    const body = { message: error.message, code, reqId, ...(field !== undefined && { field }) }
    return { status, body, retryAfterS: error.retryAfterS }
  }
  if (isTimeout(error)) {
    const message = 'the database is busy and did not answer in time: try again in a moment'
    return { status: 503, body: { message, code: 'UNAVAILABLE', reqId }, retryAfterS: RETRY_BUSY_S }
  }
  if (isUnreachable(error)) {
    const message =
      'the database cannot be reached: try again in a moment; look up what happened before you repeat a change'
    return { status: 503, body: { message, code: 'UNAVAILABLE', reqId }, retryAfterS: RETRY_BUSY_S }
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

function invalid(error: FastifySchemaValidationError, reqId: string, limits: RouteLimits): Answer {
  const unknown = findUnknownField(error)
  const { path, rule } = describeSchemaError(unknown?.error ?? error, PATTERN_RULES)
  const meant = unknown?.meant === undefined ? '' : `; did you mean ${unknown.meant}?`
  const remedy = error.keyword === 'maxItems' && limits.whenTooLarge ? `: ${limits.whenTooLarge}` : meant
  const message = `${path || 'the body'} ${rule}${remedy}`
  return { status: 400, body: { message, code: 'INVALID', reqId, field: path || 'body' } }
}

const PATTERN_RULES: PatternRules = {
  [manifestSchema.definitions.email.pattern]: 'must be an email address',
  [STORABLE]: 'must not be empty or contain the character U+0000',
  [CURSOR]: 'must be the nextCursor of an earlier answer',
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Of every answer, unless its route says otherwise. */
export const SAFE_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

type Reason = { status: number } & Pick<ErrorBody, 'message' | 'code' | 'field'>

const NOT_HTTP: Reason = {
  status: 400,
  code: 'INVALID',
  field: 'request',
  message: 'the request is not valid HTTP: check its request line, headers and Content-Length',
}

const REASONS: Readonly<Record<string, Reason>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'TIMEOUT',
    message: 'the headers of the request did not arrive in time: send it again',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: 'the URL and the headers exceed 16384 bytes: shorten them',
  },
}

/** Answers bytes that are not a valid request, in the format of all errors, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, ...reason } = REASONS[error.code ?? ''] ?? NOT_HTTP
  const body = JSON.stringify({ ...reason, reqId: randomUUID() } satisfies ErrorBody)
  if (socket.writable) {
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      ...Object.entries(SAFE_HEADERS).map(([name, value]) => `${name}: ${value}`),
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroySoon()
}

/** Answers an `Expect` header other than `100-continue`, because Node's own answer has no body. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const message = 'the Expect header is not supported: leave it out'
  const body = JSON.stringify({ message, code: 'EXPECTATION_FAILED', reqId: randomUUID() } satisfies ErrorBody)
  const length = Buffer.byteLength(body)
  const headers = { ...SAFE_HEADERS, 'content-type': JSON_TYPE, 'content-length': length, connection: 'close' }
  response.writeHead(417, headers).end(body)
}
