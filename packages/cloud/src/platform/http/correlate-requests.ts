import { randomUUID } from 'node:crypto'
import { type Correlation, correlate, readRequestId, readTraceparent } from '@plantroom/base/correlation'
import type { Log } from '@plantroom/base/log'
import type { OpenSpan, Trace } from '@plantroom/base/trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const HEADER = 'x-request-id'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the request in logs and in the header `X-Request-Id` of its answer. */
    requestId: string
    /** A UUID of this request alone, for an answer or a command without a `reqId`. */
    ownReqId: string
    span: OpenSpan | undefined
  }
}

/**
 * Gives every request an id, which the caller may choose with `X-Request-Id` or `traceparent`, and adds it to every log
 * line of the request. Add it before the other hooks.
 */
export function correlateRequests(app: FastifyInstance, { log, trace }: { log: Log; trace: Trace | undefined }): void {
  app.decorateRequest('requestId', '')
  app.decorateRequest('ownReqId', '')
  app.decorateRequest('span', undefined)

  app.addHook('onRequest', (request, reply, done) => {
    const { headers, method } = request
    const parent = readTraceparent(headers.traceparent)
    const given = readRequestId(headers[HEADER]) ?? parent?.traceId
    // A caller may send the same id again, but a reqId names one command.
    request.ownReqId = randomUUID()
    request.requestId = given ?? request.ownReqId
    // On the raw response, because event streams write their own headers.
    reply.raw.setHeader(HEADER, request.requestId)
    const route = request.routeOptions.url
    request.span = trace?.start({
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      parent,
      attributes: { 'http.request.method': method, 'http.route': route, 'plantroom.request.id': request.requestId },
    })
    inContext(request, done)
  })

  // Reading the body leaves the context of the request. By now it is also known whether the organization is the caller's.
  app.addHook('preValidation', (request, _reply, done) => {
    const { orgId } = request.params as { orgId?: string }
    inContext(request, done, orgId)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const { method, requestId, span } = request
    const { statusCode: status, elapsedTime } = reply
    const error = status >= 500 ? `answered ${status}` : undefined
    span?.end({ attributes: { 'http.response.status_code': status }, error })
    const ms = Math.round(elapsedTime)
    log.debug({ requestId, method, route: request.routeOptions.url, status, ms }, 'answered')
    done()
  })
}

function inContext({ requestId, span }: FastifyRequest, work: () => void, organizationId?: string): void {
  const fields: Correlation = {
    requestId,
    ...(organizationId !== undefined && { organizationId }),
    ...(span && { traceId: span.context.traceId }),
  }
  correlate(fields, work, span?.context)
}
