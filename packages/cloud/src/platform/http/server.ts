import type { IncomingMessage } from 'node:http'
import { type Clock, every, systemClock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Trace } from '@plantroom/base/trace'
import { schemaExpression } from '@plantroom/contract/expressions'
import { Failure } from '@plantroom/contract/failure'
import { UUID } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { findUnstorableText, type UnstorableText } from '../db/storable-text.ts'
import { type ConnectionCaps, capConnections, reportEachMinute } from '../routes/index.ts'
import { compressReplies } from './compress-replies.ts'
import { correlateRequests } from './correlate-requests.ts'
import { answerClientError, answerExpectation, SAFE_HEADERS, toAnswer } from './error-answers.ts'
import { isTooDeep, MOST_LEVELS } from './json-depth.ts'
import { type BodyShares, shareLargeBodies } from './large-bodies.ts'
import { AJV_OPTIONS, lazySchemas } from './lazy-schemas.ts'
import { requireOwnHost } from './own-host.ts'
import { paceRefusals } from './pace-refusals.ts'
import {
  loggedUrl,
  MAX_SEGMENT_LENGTH,
  readQueryNumbers,
  routableUrl,
  unstorableParameter,
  urlProblem,
} from './request-url.ts'

const BODY_LIMIT = 64 * 1024
/** From the connection, or the first byte on a connection that is open already. */
const HEADERS_LIMIT_MS = 10_000
const HEADERS_CHECK_MS = 1_000
const BODY_LIMIT_MS = 60_000
const BODY_CHECK_MS = 10_000
const CLOSE_IDLE_MS = 100
const UUID_FORM = schemaExpression(UUID)

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The remedy for a body that exceeds a limit, as the end of a sentence. */
    whenTooLarge?: string
    /** The route reads its body as a stream and applies its own deadline. */
    streamed?: boolean
  }
  interface FastifyRequest {
    unstorableText: UnstorableText | undefined
  }
}

/** Creates a server without routes, with the checks of URLs and bodies and the error format that all routes share. */
export function createServer(options: {
  tls: { cert: Buffer; key: Buffer } | undefined
  log: Log
  clock?: Clock
  connections?: ConnectionCaps | undefined
  /** Proxies whose `X-Forwarded-For` names the caller (`request.ip`). */
  trustedProxies?: readonly string[]
  /** Without it, every `Host` is accepted. */
  isOwnHost?: (header: string) => boolean
  /** Without it, requests are not traced. */
  trace?: Trace | undefined
  bodies?: BodyShares
}): FastifyInstance {
  const { tls, log, clock = systemClock, connections, trustedProxies = [], isOwnHost, trace, bodies } = options
  // `requireHost` refuses a missing Host header in the format of all errors.
  const limits = {
    headersTimeout: HEADERS_LIMIT_MS,
    connectionsCheckingInterval: HEADERS_CHECK_MS,
    requireHostHeader: false,
  }
  const settings = {
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    forceCloseConnections: 'idle' as const,
    // Fastify's own answer has another format; `refuseWhileClosing` answers in ours.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
    rewriteUrl: routableUrl,
    clientErrorHandler: answerClientError,
    schemaController: { compilersFactory: lazySchemas() },
    ajv: { customOptions: AJV_OPTIONS },
  }
  const app: FastifyInstance = tls
    ? Fastify({ ...settings, https: { ...limits, handshakeTimeout: HEADERS_LIMIT_MS, ...tls } })
    : Fastify({ ...settings, http: limits })
  if (connections) {
    const report = reportEachMinute(clock.monotonic, (address, count) =>
      log.warn(
        { address, count },
        'closed connections: too many are open (see PLANTROOM_MAX_CONNECTIONS), or one sends requests without waiting for answers',
      ),
    )
    capConnections(app.server, connections, report)
  }
  correlateRequests(app, { log, trace })
  refuseToBeCached(app)
  compressReplies(app)
  limitBodyTime(app, clock)
  app.server.on('checkExpectation', answerExpectation)
  refuseWhileClosing(app, clock)
  requireHost(app)
  if (isOwnHost) requireOwnHost(app, isOwnHost)
  readBodies(app)
  readQueryNumbers(app)
  // Runs after every `onRequest` hook, and therefore after authorization.
  app.addHook('preParsing', (request, _reply, _payload, done) => done(urlProblem(request) as Error | undefined))
  shareLargeBodies(app, BODY_LIMIT, bodies)

  const refusalTurn = paceRefusals(clock)
  app.setNotFoundHandler(async (request) => {
    const path = shown(request.originalUrl.split('?')[0] ?? '')
    throw new Failure('notFound', `there is no ${request.method} ${path}; see /docs`)
  })

  app.setErrorHandler(async (error, request, reply) => {
    const reqId = echoedReqId(request)
    const { bodyLimit, config } = request.routeOptions
    const answer = toAnswer(causeOf(error, request), reqId, { bodyLimit, whenTooLarge: config?.whenTooLarge })
    if (answer?.retryAfterS !== undefined) reply.header('retry-after', answer.retryAfterS)
    if (reply.hasHeader('retry-after')) await refusalTurn(request)
    if (answer) return reply.code(answer.status).send(answer.body)
    log.error({ err: error, reqId, requestId: request.requestId, url: loggedUrl(request) }, 'request failed')
    const message =
      'something went wrong in the service; try again, and give the operator this reqId if it keeps failing'
    return reply.code(500).send({ message, code: 'INTERNAL', reqId })
  })
  return app
}

/**
 * Answers are for one caller at one moment, and are what their type says: none is stored or guessed at, unless its route
 * says otherwise.
 */
function refuseToBeCached(app: FastifyInstance): void {
  const headers = Object.entries(SAFE_HEADERS)
  app.addHook('onRequest', (_request, { raw }, done) => {
    // On the raw response, because event streams write their own headers.
    for (const [name, value] of headers) raw.setHeader(name, value)
    done()
  })
}

/** The error to answer with. Callers who are not authenticated learn nothing else. */
function causeOf(error: unknown, request: FastifyRequest): unknown {
  const cause = request.refusal ?? error
  const isStranger = cause instanceof Failure && cause.kind === 'unauthenticated'
  // An id in a malformed URL cannot be looked up, so "no access" would be misleading.
  return isStranger ? cause : (urlProblem(request) ?? unstorableParameter(cause, request) ?? cause)
}

/**
 * Ends a request whose body does not arrive in time after its headers. Node's own limit applies to all routes alike,
 * but an upload of gigabytes may take an hour.
 */
function limitBodyTime(app: FastifyInstance, clock: Clock): void {
  const since = new Map<IncomingMessage, number>()

  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.streamed) since.set(request.raw, clock.monotonic())
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.raw.complete) since.delete(request.raw)
    done()
  })

  let stop = () => {}
  app.addHook('onListen', async () => {
    stop = every(clock, BODY_CHECK_MS, () => {
      for (const [raw, started] of since) {
        if (raw.complete || raw.destroyed) since.delete(raw)
        else if (clock.monotonic() - started >= BODY_LIMIT_MS) raw.socket.destroy()
      }
    })
  })
  app.addHook('onClose', async () => stop())
}

/** Refuses requests on connections that are still open while the server closes, and stops reusing connections. */
function refuseWhileClosing(app: FastifyInstance, clock: Clock): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    Object.assign(app.server, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 })
    if (!app.server.listening) return
    // Node closes idle connections only once; a connection answered before its body arrived becomes idle later.
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

/** Accepts only JSON bodies, and refuses text that the database cannot store. */
function readBodies(app: FastifyInstance): void {
  app.decorateRequest('unstorableText', undefined)
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (isTooDeep(text)) {
      return done(
        new Failure('invalid', `the body has more than ${MOST_LEVELS} levels; send lists and objects flatter`),
      )
    }
    void parseJson(request, text, (error, parsed) => {
      if (!error) request.unstorableText = findUnstorableText(text, parsed)
      done(error, parsed)
    })
  })
  // Not in the parser: after parsing, the answer can echo the reqId of the body.
  app.addHook('preValidation', ({ unstorableText }, _reply, done) => {
    done(
      unstorableText && new Failure('invalid', `${unstorableText.field} ${unstorableText.rule}`, unstorableText.field),
    )
  })
}

function echoedReqId(request: FastifyRequest): string {
  const sent = (request.body as { reqId?: unknown } | null | undefined)?.reqId
  return typeof sent === 'string' && UUID_FORM.test(sent) ? sent : request.ownReqId
}
