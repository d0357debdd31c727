import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { UUID } from '@plantroom/contract/patterns'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { limitBodyTime } from './body-deadline.ts'
import { toAnswer } from './error-body.ts'
import { hasHalfCharacter } from './half-characters.ts'
import { readQueryNumbers } from './query-numbers.ts'

const BODY_LIMIT = 64 * 1024
/** For the headers, and then again for the body. */
const REQUEST_LIMIT_MS = 60_000
const UUID_FORM = new RegExp(UUID)
/** The one character that PostgreSQL keeps in no text, as JSON spells it. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/

/** A server without routes: how bodies are judged and how errors are told, the same for every route. */
export function createServer(options: {
  tls: { cert: Buffer; key: Buffer } | undefined
  log: Log
  clock?: Clock
}): FastifyInstance {
  const { tls, log, clock = systemClock } = options
  const limits = { headersTimeout: REQUEST_LIMIT_MS }
  const settings = {
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: 'idle' as const,
    ajv: {
      customOptions: {
        // A body is taken as it is sent: "5" is no number, and an unknown field is ignored, not removed.
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
  // A connection that is answered on from now on would be kept for the next request, and the end would wait for it.
  app.addHook(
    'preClose',
    async () => void Object.assign(app.server, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 }),
  )

  // Only JSON is taken: text would arrive as a string and be told that it is no object.
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (NUL.test(text)) return done(new Failure('invalid', 'the body holds the character U+0000, which no text may'))
    void parseJson(request, text, (error, parsed) => {
      if (error || !hasHalfCharacter(text, parsed)) return done(error, parsed)
      done(
        new Failure(
          'invalid',
          'the body holds half a character (a surrogate without its other half), which no text may',
        ),
      )
    })
  })

  readQueryNumbers(app)

  app.setNotFoundHandler(async (request) => {
    throw new Failure('notFound', `there is no ${request.method} ${request.url.split('?')[0]}; see /docs`)
  })

  app.setErrorHandler(async (error, request, reply) => {
    const reqId = echoedReqId(request)
    const answer = toAnswer(request.refusal ?? error, reqId)
    if (answer) return reply.code(answer.status).send(answer.body)
    log.error({ err: error, reqId, url: request.url }, 'request failed')
    const message = 'something went wrong in the service; try again, and tell the operator this reqId if it stays'
    return reply.code(500).send({ message, code: 'INTERNAL', reqId })
  })
  return app
}

function echoedReqId(request: FastifyRequest): string {
  const sent = (request.body as { reqId?: unknown } | null | undefined)?.reqId
  return typeof sent === 'string' && UUID_FORM.test(sent) ? sent : randomUUID()
}
