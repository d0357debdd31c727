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
  return (header) => {
    const url = `http://${header}`
    if (!URL.canParse(url)) return false
    const { hostname: name, username, pathname } = new URL(url)
    if (username !== '' || pathname !== '/') return false
    return own.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  }
}

/** Refuses requests that name another host, except those of programs that send a key or token of their own. */
export function requireOwnHost(app: FastifyInstance, isOwnHost: (header: string) => boolean): void {
  app.addHook('onRequest', ({ headers, url }, _reply, done) => {
    const { host } = headers
    const isExempt = 'x-api-key' in headers || 'authorization' in headers || FOR_MONITORS.has(url.split('?')[0] ?? '')
    if (host === undefined || isExempt || isOwnHost(host)) return done()
    done(
      new Failure(
        'misdirected',
        'the Host header is not a name of this service: set PLANTROOM_PUBLIC_URL to the address that people open, and let a proxy pass on the Host header',
      ),
    )
  })
}
