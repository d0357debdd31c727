import { randomUUID } from 'node:crypto'
import { type Clock, every, systemClock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { UUID } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { limitBodyTime } from './body-deadline.ts'
import { answerClientError, answerExpectation } from './client-errors.ts'
import { toAnswer } from './error-body.ts'
import { readQueryNumbers } from './query-numbers.ts'
import { findUnfitText, type UnfitText } from './unfit-text.ts'
import { MAX_SEGMENT_LENGTH, routableUrl, unfitParameter, urlProblem } from './url-limits.ts'

const BODY_LIMIT = 64 * 1024
/** For the headers, and then again for the body. */
const REQUEST_LIMIT_MS = 60_000
const CLOSE_IDLE_MS = 100
const UUID_FORM = new RegExp(UUID)
const LONGEST_LOGGED_URL = 500

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a caller can do about a body that exceeds a limit, as the end of a sentence. */
    whenTooLarge?: string
  }
  interface FastifyRequest {
    unfitText: UnfitText | undefined
  }
}

/** A server without routes: how URLs and bodies are judged, and the shape of errors, the same for every route. */
export function createServer(options: {
  tls: { cert: Buffer; key: Buffer } | undefined
  log: Log
  clock?: Clock
}): FastifyInstance {
  const { tls, log, clock = systemClock } = options
  // A missing Host is refused by `requireHost`, in the shape of every error.
  const limits = { headersTimeout: REQUEST_LIMIT_MS, requireHostHeader: false }
  const settings = {
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: 'idle' as const,
    // Fastify's own answer has another shape; `refuseWhileClosing` gives ours.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
    rewriteUrl: routableUrl,
    clientErrorHandler: answerClientError,
    ajv: {
      customOptions: {
        // Bodies are validated as they are sent: "5" is no number, and an unknown field is ignored, not removed.
        coerceTypes: false as const,
        removeAdditional: false as const,
        formats: { timestamp: (text: string) => parseTimestamp(text) !== undefined },
      },
    },
  }
  const app: FastifyInstance = tls
    ? Fastify({ ...settings, https: { ...limits, ...tls } })
    : Fastify({ ...settings, http: limits })
  limitBodyTime(app, clock, REQUEST_LIMIT_MS)
  app.server.on('checkExpectation', answerExpectation)
  refuseWhileClosing(app, clock)
  requireHost(app)
  readBodies(app)
  readQueryNumbers(app)
  // After every `onRequest` hook, and so after authorization.
  app.addHook('preParsing', (request, _reply, _payload, done) => done(urlProblem(request) as Error | undefined))

  app.setNotFoundHandler(async (request) => {
    const path = shown(request.originalUrl.split('?')[0] ?? '')
    throw new Failure('notFound', `there is no ${request.method} ${path}; see /docs`)
  })

  app.setErrorHandler(async (error, request, reply) => {
    const reqId = echoedReqId(request)
    const { bodyLimit, config } = request.routeOptions
    const answer = toAnswer(causeOf(error, request), reqId, { bodyLimit, whenTooLarge: config?.whenTooLarge })
    if (answer) return reply.code(answer.status).send(answer.body)
    log.error({ err: error, reqId, url: shown(request.originalUrl, LONGEST_LOGGED_URL) }, 'request failed')
    const message =
      'something went wrong in the service; try again, and give the operator this reqId if it keeps failing'
    return reply.code(500).send({ message, code: 'INTERNAL', reqId })
  })
  return app
}

/** The error to answer with: callers who are not authenticated learn that and nothing else. */
function causeOf(error: unknown, request: FastifyRequest): unknown {
  const cause = request.refusal ?? error
  const isStranger = cause instanceof Failure && cause.kind === 'unauthenticated'
  // An id in a malformed URL cannot be compared, so "no access to it" would mislead.
  return isStranger ? cause : (urlProblem(request) ?? unfitParameter(cause, request) ?? cause)
}

/** Answers requests on connections that are still open while the server closes, and keeps no connection for the next. */
function refuseWhileClosing(app: FastifyInstance, clock: Clock): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    Object.assign(app.server, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 })
    if (!app.server.listening) return
    // A connection answered before its body had arrived becomes idle later, and Node closes idle ones only once.
    app.server.once(
      'close',
      every(clock, CLOSE_IDLE_MS, () => app.server.closeIdleConnections()),
    )
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    done(closing ? new Failure('unavailable', 'the service is shutting down: try again in a moment') : undefined)
  })
}

function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isMissing = raw.headers.host === undefined && raw.httpVersion === '1.1'
    done(isMissing ? new Failure('invalid', 'the Host header is missing', 'Host') : undefined)
  })
}

/** Accepts JSON and nothing else, without texts that the database cannot keep. */
function readBodies(app: FastifyInstance): void {
  app.decorateRequest('unfitText', undefined)
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    void parseJson(request, text, (error, parsed) => {
      if (!error) request.unfitText = findUnfitText(text, parsed)
      done(error, parsed)
    })
  })
  // Not in the parser: once the body is there, the answer can echo its reqId.
  app.addHook('preValidation', ({ unfitText }, _reply, done) => {
    done(unfitText && new Failure('invalid', `${unfitText.field} ${unfitText.rule}`, unfitText.field))
  })
}

function echoedReqId(request: FastifyRequest): string {
  const sent = (request.body as { reqId?: unknown } | null | undefined)?.reqId
  return typeof sent === 'string' && UUID_FORM.test(sent) ? sent : randomUUID()
}
