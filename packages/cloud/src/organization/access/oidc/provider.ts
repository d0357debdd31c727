import type { Clock } from '@plantroom/base/clock'
import type { ProviderProblem } from '@plantroom/contract/api'
import { schemaExpression } from '@plantroom/contract/expressions'
import { STORABLE } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import type { ClientAuth, Configuration, IDToken } from 'openid-client'
import { isLoopback, type OidcSettings } from '../../../oidc-config.ts'
import { BOUNDS, fetchThrough, OPERATOR, type Transport } from '../../../platform/outbound/index.ts'
import type { PendingSignIn } from './pending-sign-in.ts'

const TIMEOUT_S = BOUNDS.provider.totalMs / 1000
const DISCOVERY_MS = 3_600_000
const CLOCK_TOLERANCE_S = 30
const MAX_SUBJECT = 255

/** A person as the provider names them. Only `issuer` and `subject` together identify them. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  /** The provider says that the person owns the address. */
  emailVerified: boolean
  amr: readonly string[]
  acr: string | null
}

/** Why a sign-in failed: `problem` for the person, the message for the log. Neither has a code or a token. */
export class ProviderFailure extends Error {
  readonly problem: ProviderProblem

  constructor(problem: ProviderProblem, message: string) {
    super(message)
    this.name = 'ProviderFailure'
    this.problem = problem
  }
}

/** The OpenID Connect provider of the service. All errors are a `ProviderFailure`. */
export interface Provider {
  /** The address at the provider where a browser continues. */
  signInUrl(pending: PendingSignIn): Promise<string>
  /** Redeems the code in the query with which the provider sent the browser back. */
  redeem(query: string, pending: PendingSignIn): Promise<Identity>
}

interface ProviderDeps {
  settings: OidcSettings
  redirectUri: () => string
  transport: Transport
  clock: Clock
  /** How long each request to the provider may take. */
  timeoutS?: number
}

export function createProvider(deps: ProviderDeps): Provider {
  const { settings, redirectUri } = deps
  const discover = createDiscovery(deps)
  return {
    async signInUrl({ state, nonce, verifier }) {
      try {
        const [client, config] = await Promise.all([import('openid-client'), discover()])
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri(),
          scope: settings.scopes,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        })
        return url.href
      } catch (error) {
        throw explained(error)
      }
    },

    async redeem(query, { state, nonce, verifier }) {
      try {
        const [client, config] = await Promise.all([import('openid-client'), discover()])
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri()}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new ProviderFailure('failed', 'the provider sent no ID token')
        return await identityOf(config, claims, tokens.access_token)
      } catch (error) {
        throw explained(error)
      }
    },
  }
}

/** Returns a function with the provider's own description, which is kept for an hour, and with it its keys. */
function createDiscovery({
  settings,
  transport,
  clock,
  timeoutS = TIMEOUT_S,
}: ProviderDeps): () => Promise<Configuration> {
  let found: { config: Promise<Configuration>; at: number } | undefined
  return () => {
    if (found && clock.monotonic() - found.at < DISCOVERY_MS) return found.config
    const config = readDescription(settings, transport, timeoutS)
    const reading = { config, at: clock.monotonic() }
    found = reading
    // The next sign-in tries again.
    config.catch(() => {
      if (found === reading) found = undefined
    })
    return config
  }
}

async function readDescription(settings: OidcSettings, transport: Transport, timeout: number): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings
  const client = await import('openid-client')
  const authenticate: ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const method = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost
    method(clientSecret)(server, ...rest)
  }
  const config = await client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_S },
    authenticate,
    {
      timeout,
      [client.customFetch]: fetchThrough(transport, { group: OPERATOR, bounds: BOUNDS.provider }),
      // Checks the signature of ID tokens, too: TLS alone would prove only who sent them.
      execute: [client.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [client.allowInsecureRequests] : [])],
    },
  )
  if (
    config.serverMetadata().supportsPKCE() ||
    config.serverMetadata().code_challenge_methods_supported === undefined
  ) {
    return config
  }
  throw new ProviderFailure('failed', 'the provider does not support PKCE with S256')
}

async function identityOf(config: Configuration, claims: IDToken, accessToken: string): Promise<Identity> {
  const { iss: issuer, sub: subject } = claims
  // A provider that serves several tenants describes itself with a template. Any of its tenants could sign in.
  if (issuer !== config.serverMetadata().issuer) {
    throw new ProviderFailure('failed', `the ID token is of ${shown(issuer)}: set PLANTROOM_OIDC_ISSUER to one tenant`)
  }
  if (subject.length > MAX_SUBJECT || !schemaExpression(STORABLE).test(subject)) {
    throw new ProviderFailure('failed', 'the subject of the ID token cannot be stored')
  }
  const { email, email_verified } =
    typeof claims.email === 'string' ? claims : await userInfo(config, subject, accessToken)
  const amr = Array.isArray(claims.amr) ? claims.amr.filter((method) => isShort(method)).slice(0, 10) : []
  return {
    // As in the settings: without a path, an address may end with a slash or not.
    issuer: new URL(issuer).href,
    subject,
    email: typeof email === 'string' && email.length <= 255 && schemaExpression(STORABLE).test(email) ? email : null,
    emailVerified: email_verified === true,
    amr,
    acr: isShort(claims.acr) ? claims.acr : null,
  }
}

const isShort = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 100 && schemaExpression(STORABLE).test(text)

/** Many providers name the address only here. Without it, people who are linked can still sign in. */
async function userInfo(
  config: Configuration,
  subject: string,
  accessToken: string,
): Promise<{ email?: unknown; email_verified?: unknown }> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {}
  const client = await import('openid-client')
  return client.fetchUserInfo(config, accessToken, subject).catch(() => ({}))
}

const NETWORK = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'])

/** What the provider or the library reported, for the person and for the log. */
function explained(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  const { name, message, code, error: reported } = error as Partial<OidcError>
  const text = shown([...new Set(reasonsOf(error))].join(', '), 500)
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return new ProviderFailure('clock', text)
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    if (reported === 'temporarily_unavailable' || reported === 'server_error')
      return new ProviderFailure('unreachable', text)
    return new ProviderFailure(reported === 'access_denied' ? 'denied' : 'failed', text)
  }
  // The code was used before, or is too old.
  if (reported === 'invalid_grant') return new ProviderFailure('expired', text)
  const isNetwork = name === 'TimeoutError' || message === 'fetch failed' || NETWORK.has(code ?? '')
  return new ProviderFailure(isNetwork ? 'unreachable' : 'failed', text)
}

interface OidcError extends Error {
  code: string
  status: number
  error: string
  error_description: string
}

/**
 * The reasons behind an error. The messages of the library name claims and fields, never their values; a parser's message
 * quotes what it read.
 */
function reasonsOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 3) return []
  const { message, code, status, error: reported, error_description: description, cause } = error as Partial<OidcError>
  const isOwn = error instanceof Error && !(error instanceof SyntaxError)
  const own = [isOwn ? message : undefined, code, status, reported, description].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  return [...own.map(String), ...reasonsOf(cause, depth + 1)]
}
