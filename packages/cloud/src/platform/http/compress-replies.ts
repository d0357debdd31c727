import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)

/** In characters. A smaller reply fits into one or two packets anyway. */
const LEAST = 2000

/**
 * Compresses what people and programs read, for those who accept that: the datapoints of a controller shrink to a seventh.
 * Files and event streams are sent as they come. Replies to changes may contain new secrets, whose size must say nothing.
 */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    if (method !== 'GET' || typeof payload !== 'string' || payload.length < LEAST) return payload
    if (reply.hasHeader('content-encoding')) return payload
    reply.header('vary', 'accept-encoding')
    if (!acceptsGzip(headers['accept-encoding'])) return payload
    reply.removeHeader('content-length').header('content-encoding', 'gzip')
    return compress(payload)
  })
}

/** `gzip;q=0` refuses it. */
const acceptsGzip = (header: string | string[] | undefined) =>
  /(^|[\s,])gzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(header ?? ''))
