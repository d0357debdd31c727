import type { IncomingMessage } from 'node:http'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify'

/** In characters. Node itself refuses more than 16 KiB of headers. */
const MAX_URL_LENGTH = 8 * 1024
/** Longer than any segment can be, so that the router passes every id to our handlers. */
export const MAX_SEGMENT_LENGTH = 16 * 1024
/** The database's code for text that it cannot store and therefore cannot look up. */
const INVALID_TEXT = '22021'
const MAX_LOGGED_URL = 500
/** Parameters of paths that let whoever knows them do something. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['token'])
const WHOLE_NUMBER = /^-?\d+$/

const malformed = new WeakSet<IncomingMessage>()

/**
 * Returns the URL for the router, which would otherwise answer malformed percent-encoding before authorization. Escapes
 * such a URL, so that `urlProblem` can refuse it later.
 */
export function routableUrl(request: IncomingMessage): string {
  const url = request.url ?? '/'
  const path = pathIn(url)
  if (!path.includes('%') || decodes(path)) return url
  malformed.add(request)
  return path.replaceAll('%', '%25') + url.slice(path.length)
}

/** Returns what is wrong with the URL of a request; `undefined` when it is valid. */
export function urlProblem(request: FastifyRequest): Failure | { statusCode: 414; message: string } | undefined {
  const { originalUrl } = request
  if (malformed.has(request.raw)) {
    const path = shown(pathIn(originalUrl))
    return new Failure('invalid', `the path ${path} is not valid percent-encoding: write % as %25`, 'path')
  }
  if (originalUrl.length <= MAX_URL_LENGTH) return undefined
  const message = `the URL has ${originalUrl.length} characters, the limit is ${MAX_URL_LENGTH}: check its ids and its query`
  return { statusCode: 414, message }
}

/** Explains the database error caused by U+0000 in a path or query; `undefined` for any other error. */
export function unstorableParameter(error: unknown, request: FastifyRequest): Failure | undefined {
  if ((error as { code?: unknown }).code !== INVALID_TEXT) return undefined
  const parameters = { ...(request.params as object), ...(request.query as object) }
  const [field] = Object.entries(parameters).find(([, value]) => String(value).includes('\0')) ?? []
  return field === undefined
    ? undefined
    : new Failure('invalid', `${field} must not contain the character U+0000`, field)
}

/**
 * Converts query parameters that a route's schema declares as integers, before validation. Other text stays as it is and
 * fails validation.
 */
export function readQueryNumbers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const names = wholeNumbers(route.schema?.querystring)
    if (names.length === 0) return
    const read: preValidationHookHandler = (request, _reply, done) => {
      const query = request.query as Record<string, unknown>
      for (const name of names) {
        const text = query[name]
        if (typeof text === 'string' && WHOLE_NUMBER.test(text)) query[name] = Number(text)
      }
      done()
    }
    route.preValidation = [...[route.preValidation ?? []].flat(), read]
  })
}

function wholeNumbers(schema: unknown): string[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { type?: string; enum?: unknown[] }> }
  return Object.entries(properties)
    .filter(([, property]) => property.type === 'integer' || property.enum?.every(Number.isInteger))
    .map(([name]) => name)
}

/**
 * The URL of a request for a log: without its query, and without parameters that are secrets. Their names say so, because a
 * value may look like anything.
 */
export function loggedUrl({ originalUrl, routeOptions, params }: FastifyRequest): string {
  const given = Object.entries((params ?? {}) as Record<string, string>)
  const hasSecret = given.some(([name, value]) => SECRET_PARAMETERS.has(name) && value !== '')
  return hasSecret ? (routeOptions.url ?? '') : shown(pathIn(originalUrl), MAX_LOGGED_URL)
}

const pathIn = (url: string) => url.split('?', 1)[0] ?? ''

function decodes(path: string): boolean {
  try {
    // Its result counts: a build drops a call that is there only to throw.
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}
