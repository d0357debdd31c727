import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance } from 'fastify'

/** Programs that watch the service name it as they like. They learn nothing about people or equipment. */
const FOR_MONITORS = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Returns a check of `Host` headers. A page of another site can make its own name point at this machine (DNS
 * rebinding); a browser then sends that name. IP addresses and names of this machine cannot be pointed elsewhere.
 */
export function createHostCheck(names: { publicUrl: string | undefined; host: string }): (header: string) => boolean {
  const machine = hostname().toLowerCase()
  const own = new Set(['localhost', machine, `${machine}.local`, names.host.toLowerCase()])
  if (names.publicUrl !== undefined) own.add(new URL(names.publicUrl).hostname)
  const isOwn = (header: string) => {
    const url = `http://${header}`
    if (!URL.canParse(url)) return false
    const { hostname: name, username, pathname } = new URL(url)
    if (username !== '' || pathname !== '/') return false
    return own.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  }
  // Nearly all callers use one name, and parsing it takes longer than the rest of the check.
  let last: string | undefined
  return (header) => {
    if (header === last) return true
    const isFine = isOwn(header)
    if (isFine) last = header
    return isFine
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The request has a valid API key or admin token, which no browser sends by itself. */
    hasValidKey: boolean
    namesOtherHost: boolean
  }
}

/**
 * Refuses requests that name another host, except those of programs with a valid key or token. A key is checked later, by
 * the authorization: a page of another site can send any text as one.
 */
export function requireOwnHost(app: FastifyInstance, isOwnHost: (header: string) => boolean): void {
  app.decorateRequest('hasValidKey', false)
  app.decorateRequest('namesOtherHost', false)
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, url } = request
    const { host } = headers
    if (host === undefined || FOR_MONITORS.has(url.split('?')[0] ?? '') || isOwnHost(host)) return done()
    request.namesOtherHost = true
    done('x-api-key' in headers || 'authorization' in headers ? undefined : otherHost())
  })
  // After every `onRequest` hook, and therefore after authorization.
  app.addHook('preParsing', ({ namesOtherHost, hasValidKey }, _reply, _payload, done) => {
    if (namesOtherHost && !hasValidKey) done(otherHost())
    else done()
  })
}

const otherHost = () =>
  new Failure(
    'misdirected',
    'the Host header is not a name of this service: set PLANTROOM_PUBLIC_URL to the address that people open, and let a proxy pass on the Host header',
  )
