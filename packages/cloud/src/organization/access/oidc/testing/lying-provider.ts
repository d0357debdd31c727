import { createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { systemClock } from '@plantroom/base/clock'
import { PUBLIC_URL } from './browser.ts'

const CLIENT_ID = 'plantroom'

/** How the provider misbehaves. */
interface Lie {
  /** Replace claims of the ID token. */
  claims?: Record<string, unknown>
  /** Sign the ID token with a key that it does not publish. */
  forged?: boolean
  /** Answers of the token endpoint. */
  token?: 'never' | 'error'
  description?: 'never' | 'broken' | 'foreign' | 'huge'
  /** The state that it sends back. */
  state?: string
}

/** A provider that follows the protocol by hand, so that it can lie. */
export async function startLyingProvider() {
  const current: { lie: Lie } = { lie: {} }
  const requests: string[] = []
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const nonces = new Map<string, string>()
  const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const issuer = `http://127.0.0.1:${port}`

  function idToken(code: string): string {
    const now = Math.floor(systemClock.now() / 1000)
    const usual = {
      iss: issuer,
      sub: 'sub_1',
      aud: CLIENT_ID,
      iat: now,
      exp: now + 60,
      nonce: nonces.get(code),
      email: 'x@y.zz',
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const body = `${part({ alg: 'RS256', kid: 'key' })}.${part({ ...usual, ...current.lie.claims })}`
    const signature = createSign('RSA-SHA256').update(body)
    return `${body}.${signature.sign((current.lie.forged ? foreign : own).privateKey, 'base64url')}`
  }

  const description = () => ({
    issuer: current.lie.description === 'foreign' ? 'https://other.example' : issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  })

  function handle(request: IncomingMessage, response: ServerResponse): unknown {
    const { lie } = current
    const url = new URL(request.url ?? '/', issuer)
    requests.push(url.pathname)
    const json = (value: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url.pathname.endsWith('/openid-configuration')) {
      if (lie.description === 'never') return
      if (lie.description === 'huge') return json({ ...description(), service_documentation: 'x'.repeat(2_000_000) })
      return lie.description === 'broken' ? response.end('<html>') : json(description())
    }
    if (url.pathname === '/jwks') {
      return json({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }] })
    }
    if (url.pathname === '/auth') {
      const code = `code-${nonces.size}`
      nonces.set(code, url.searchParams.get('nonce') ?? '')
      const state = lie.state ?? url.searchParams.get('state') ?? ''
      const location = `${PUBLIC_URL}/api/session/oidc/callback?${new URLSearchParams({ code, state })}`
      return response.writeHead(303, { location }).end()
    }
    if (lie.token === 'never') return
    if (lie.token === 'error') return json({ error: 'server_error' }, 500)
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    // Unlike a proper one, it takes a code as often as it comes.
    request.on('end', () => {
      const code = new URLSearchParams(body).get('code') ?? ''
      json({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: idToken(code) })
    })
  }

  return {
    issuer,
    requests,
    settings: {
      issuer: `${issuer}/`,
      clientId: CLIENT_ID,
      clientSecret: 'a-secret-of-the-client-0123456789abcdef',
      name: 'Example SSO',
      scopes: 'openid email',
      linkByVerifiedEmail: false,
    },
    lie: (lie: Lie) => {
      current.lie = lie
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
