import type { IncomingMessage } from 'node:http'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyRequest } from 'fastify'

/** The longest URL that is answered, in characters. Node refuses more than 16 KiB of headers before we see them. */
export const MAX_URL_LENGTH = 8 * 1024
/** Longer than any segment can be, so that the router hands every id to our handlers. */
export const MAX_SEGMENT_LENGTH = 16 * 1024

const malformed = new WeakSet<IncomingMessage>()

/**
 * The URL for the router, which answers malformed percent-encoding itself, before anybody asks for the key. Such a URL
 * is made routable here, and `urlProblem` refuses it.
 */
export function routableUrl(request: IncomingMessage): string {
  const url = request.url ?? '/'
  const path = pathIn(url)
  if (!path.includes('%') || decodes(path)) return url
  malformed.add(request)
  return path.replaceAll('%', '%25') + url.slice(path.length)
}

/** What is wrong with the URL of a request; `undefined` when nothing is. */
export function urlProblem(request: FastifyRequest): Failure | { statusCode: 414; message: string } | undefined {
  const { originalUrl } = request
  if (malformed.has(request.raw)) {
    const path = shown(pathIn(originalUrl))
    return new Failure('invalid', `the path ${path} is not valid percent-encoding: write % as %25`, 'path')
  }
  // The one character that PostgreSQL keeps in no text, and that no id has.
  if (originalUrl.includes('%00')) {
    const part = pathIn(originalUrl).includes('%00') ? 'path' : 'query'
    return new Failure('invalid', `the ${part} must not hold the character U+0000 (%00)`, part)
  }
  if (originalUrl.length <= MAX_URL_LENGTH) return undefined
  const message = `the URL has ${originalUrl.length} characters, more than the ${MAX_URL_LENGTH} that are accepted: check the ids and the query in it`
  return { statusCode: 414, message }
}

const pathIn = (url: string) => url.split('?', 1)[0] ?? ''

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
