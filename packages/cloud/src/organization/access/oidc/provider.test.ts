import { systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openOutbound } from '../../../platform/outbound/index.ts'
import { createPendingSignIns } from './pending-sign-in.ts'
import { createProvider, type ProviderFailure } from './provider.ts'
import { startLyingProvider } from './testing/lying-provider.ts'

const REDIRECT_URI = 'https://plantroom.example/api/session/oidc/callback'
const nowS = () => Math.floor(systemClock.now() / 1000)
let liar: Awaited<ReturnType<typeof startLyingProvider>>

beforeAll(async () => {
  liar = await startLyingProvider()
})
afterAll(() => liar?.stop())
beforeEach(() => liar.lie({}))

function openTest(changes: { issuer?: string; timeoutS?: number } = {}) {
  const clock = createManualClock()
  const { timeoutS, ...settings } = changes
  const provider = createProvider({
    settings: { ...liar.settings, ...settings },
    redirectUri: () => REDIRECT_URI,
    transport: openOutbound({ privateNetworks: [], clock }).operator,
    clock,
    ...(timeoutS !== undefined && { timeoutS }),
  })
  const pendings = createPendingSignIns({ secret: 'secret', clock })
  const start = () => pendings.start({ do: 'sign-in' }, '/').pending
  /** Goes to the provider and returns the query with which it sends the browser back. */
  async function visit(pending: ReturnType<typeof start>) {
    const answer = await fetch(await provider.signInUrl(pending), { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? '').search.slice(1)
  }
  return { clock, provider, start, visit }
}

/** Signs in while the provider lies, and returns what the person and the log learn. */
async function failWith(lie: Parameters<typeof liar.lie>[0], changes: Parameters<typeof openTest>[0] = {}) {
  const { provider, start, visit } = openTest(changes)
  const pending = start()
  liar.lie(lie)
  const failure = await visit(pending)
    .then((query) => provider.redeem(query, pending))
    .then(
      () => expect.fail('the sign-in succeeded'),
      (error: ProviderFailure) => error,
    )
  return [failure.problem, failure.message]
}

test('asks with PKCE, state and nonce, and returns who signed in and how', async () => {
  liar.lie({ claims: { email: 'Ann@Example.com', email_verified: true, amr: ['pwd', 'otp', 7], acr: 'urn:mfa' } })
  const { provider, start, visit } = openTest()
  const pending = start()
  const { searchParams } = new URL(await provider.signInUrl(pending))
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'plantroom',
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid email',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: pending.state,
    nonce: pending.nonce,
  })
  expect(searchParams.get('code_challenge')).not.toBe(pending.verifier)
  expect(await provider.redeem(await visit(pending), pending)).toEqual({
    issuer: `${liar.issuer}/`,
    subject: 'sub_1',
    email: 'Ann@Example.com',
    emailVerified: true,
    amr: ['pwd', 'otp'],
    acr: 'urn:mfa',
  })
})

test('an address counts as verified only when the provider says exactly so', async () => {
  for (const email_verified of ['true', 1, null, undefined]) {
    liar.lie({ claims: { email_verified } })
    const { provider, start, visit } = openTest()
    const pending = start()
    expect(await provider.redeem(await visit(pending), pending)).toMatchObject({ emailVerified: false })
  }
})

describe('an ID token is refused', () => {
  test.each([
    ['with the nonce of another sign-in', { claims: { nonce: 'other' } }, 'nonce'],
    ['without a nonce', { claims: { nonce: undefined } }, 'nonce'],
    ['for another client', { claims: { aud: 'another-client' } }, 'aud'],
    ['for several clients without naming us', { claims: { aud: ['plantroom', 'other'], azp: 'other' } }, 'azp'],
    ['of another issuer', { claims: { iss: 'https://other.example' } }, 'iss'],
    ['without a subject', { claims: { sub: undefined } }, 'sub'],
    ['with a subject that cannot be stored', { claims: { sub: 'a\u0000b' } }, 'subject'],
    ['that another key signed', { forged: true }, 'signature'],
  ])('%s', async (_what, lie, reason) => {
    expect(await failWith(lie)).toEqual(['failed', expect.stringContaining(reason)])
  })

  test('that has expired, or is from the future: a clock is wrong', async () => {
    expect(await failWith({ claims: { exp: nowS() - 3600, iat: nowS() - 7200 } })).toEqual([
      'clock',
      expect.any(String),
    ])
    expect(await failWith({ claims: { nbf: nowS() + 3600 } })).toEqual(['clock', expect.any(String)])
  })

  test('whose state is of another sign-in', async () => {
    expect(await failWith({ state: 'other' })).toEqual(['failed', expect.stringContaining('state')])
  })
})

describe('a provider is not used', () => {
  test('that does not answer in time', async () => {
    expect(await failWith({ description: 'never' }, { timeoutS: 0.2 })).toEqual(['unreachable', expect.any(String)])
    expect(await failWith({ token: 'never' }, { timeoutS: 0.2 })).toEqual(['unreachable', expect.any(String)])
  })

  test('that is down', async () => {
    expect(await failWith({}, { issuer: 'http://127.0.0.1:9/' })).toEqual(['unreachable', expect.any(String)])
  })

  test('that answers with an error or with something else', async () => {
    expect(await failWith({ token: 'error' })).toEqual(['unreachable', expect.stringContaining('500')])
    expect((await failWith({ description: 'broken' }))[0]).toBe('failed')
    expect(await failWith({ description: 'huge' })).toEqual(['unreachable', expect.stringContaining('1048576 bytes')])
  })

  test('that describes another issuer', async () => {
    expect(await failWith({ description: 'foreign' })).toEqual(['failed', expect.stringContaining('issuer')])
  })

  test('without TLS on another machine', async () => {
    const [problem, reason] = await failWith({}, { issuer: 'http://provider.example/' })
    expect([problem, reason]).toEqual(['failed', expect.stringContaining('HTTPS')])
  })
})

test('the log gets neither a code nor a token', async () => {
  for (const lie of [
    { forged: true },
    { claims: { nonce: 'other' } },
    { claims: { aud: 'other' } },
    { token: 'error' as const },
  ]) {
    const [, reason] = await failWith(lie)
    expect(reason).not.toMatch(/code-\d|eyJ|access_token|a-secret/)
  }
})

test('reads the description and the keys of the provider once an hour, and again after a failure', async () => {
  const { provider, start, visit, clock } = openTest()
  const reads = () => liar.requests.filter((path) => path.endsWith('/openid-configuration')).length
  liar.lie({ description: 'broken' })
  await expect(provider.signInUrl(start())).rejects.toThrow()
  liar.lie({})
  const before = reads()
  const keysBefore = liar.requests.filter((path) => path === '/jwks').length
  for (let count = 0; count < 3; count += 1) {
    const pending = start()
    await provider.redeem(await visit(pending), pending)
  }
  expect([reads() - before, liar.requests.filter((path) => path === '/jwks').length - keysBefore]).toEqual([1, 1])
  clock.advanceNow(3_600_000)
  await provider.signInUrl(start())
  expect(reads() - before).toBe(2)
})
