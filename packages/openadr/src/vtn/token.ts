import { readIfValid } from '@plantroom/contract/read'
import { object, text } from '@plantroom/contract/schema'
import { hideSecrets } from './hide-secrets.ts'
import type { VtnAccess, VtnDeps } from './vtn-access.ts'
import { failureOf, parsedBody, type VtnAnswer, VtnFailure } from './vtn-failure.ts'
import { parseIfJson } from './vtn-json.ts'

/** A bearer token. */
export interface Token {
  readonly value: string
  /** `null`: the server does not say. */
  readonly expiresAt: number | null
}

const AuthServer = object({ tokenURL: text({ minLength: 1, maxLength: 8000 }) })
const TokenAnswer = object({ access_token: text({ minLength: 1, maxLength: 16_384 }) })
/** A token is renewed this long before it expires, so that it lasts for a request. */
const EARLY_MS = 30_000

/** Returns where tokens come from: as configured, as the VTN says, or from the VTN itself. */
export async function tokenUrlOf(access: VtnAccess, { send, now }: VtnDeps): Promise<string> {
  if (access.tokenUrl !== undefined) return access.tokenUrl
  const own = `${access.baseUrl}/auth/token`
  const answer = await send({
    method: 'GET',
    url: `${access.baseUrl}/auth/server`,
    headers: { accept: 'application/json' },
  })
  // VTNs of 3.0 have no such address, and some of 3.1 have it behind the token.
  if ([401, 403, 404, 405, 501].includes(answer.status)) return own
  if (answer.status !== 200) throw failureOf(hideSecrets(secretsOf(access)).failure(answer), 'GET auth/server', now())
  const server = readIfValid(AuthServer, parsedBody(answer, 'GET auth/server'))
  if (!server || !URL.canParse(server.tokenURL)) return own
  if (access.baseUrl.startsWith('https:') && !server.tokenURL.startsWith('https:'))
    throw new VtnFailure(
      'token',
      'GET auth/server: the VTN names a token URL without encryption, to which we do not send the secret',
      'What is the token URL with https?',
    )
  return server.tokenURL
}

/** Gets a token with client credentials: in the body, else in the header, as servers differ. */
export async function fetchToken(access: VtnAccess, deps: VtnDeps): Promise<Token> {
  const url = await tokenUrlOf(access, deps)
  const { clientId = '', clientSecret = '', scope, audience } = access
  const form = {
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
  }
  const inBody = await post(url, { ...form, client_id: clientId, client_secret: clientSecret }, {}, deps)
  if (inBody.status === 200) return tokenIn(inBody, deps)
  const isRejected = (inBody.status === 400 || inBody.status === 401) && errorIn(inBody) === 'invalid_client'
  if (!isRejected) throw refusal(inBody, url, access, deps)
  const inHeader = await post(url, form, { authorization: `Basic ${basicOf(access)}` }, deps)
  if (inHeader.status === 200) return tokenIn(inHeader, deps)
  throw refusal(inBody, url, access, deps)
}

const basicOf = ({ clientId = '', clientSecret = '' }: VtnAccess) =>
  btoa(`${encodeURIComponent(clientId.toWellFormed())}:${encodeURIComponent(clientSecret.toWellFormed())}`)

/** What we send to get a token, and must not be shown. */
export const secretsOf = (access: VtnAccess): string[] =>
  access.clientSecret ? [access.clientSecret, basicOf(access)] : []

function post(url: string, form: Record<string, string>, headers: Record<string, string>, { send }: VtnDeps) {
  const body = new URLSearchParams(form).toString()
  const type = 'application/x-www-form-urlencoded'
  return send({ method: 'POST', url, headers: { accept: 'application/json', 'content-type': type, ...headers }, body })
}

function tokenIn(answer: VtnAnswer, { now }: VtnDeps): Token {
  const given = parsedBody(answer, 'POST token')
  const token = readIfValid(TokenAnswer, given)
  if (!token)
    throw new VtnFailure(
      'token',
      'POST token: the answer has no access_token',
      'Is this the token URL of client credentials?',
      {
        status: answer.status,
      },
    )
  // Some servers write the number as a text.
  const seconds = Number((given as { expires_in?: unknown }).expires_in ?? Number.NaN)
  return { value: token.access_token, expiresAt: seconds > 0 ? now() + seconds * 1000 : null }
}

export const isUsable = ({ expiresAt }: Token, now: number) => expiresAt === null || now < expiresAt - EARLY_MS

/** The word of OAuth2 for why there is no token. */
const errorIn = (answer: VtnAnswer) => {
  const { error } = (parseIfJson(answer.body) ?? {}) as { error?: unknown }
  return typeof error === 'string' ? error : undefined
}

function refusal(refused: VtnAnswer, url: string, access: VtnAccess, { now }: VtnDeps): VtnFailure {
  const answer = hideSecrets(secretsOf(access)).failure(refused)
  const { host, pathname } = new URL(url)
  const { message, status, retryAfterS, kind } = failureOf(answer, `POST ${pathname} at ${host}`, now())
  const failure = kind === 'busy' || kind === 'broken' ? kind : 'token'
  const ask = whatToAsk(answer, errorIn(answer), access)
  return new VtnFailure(failure, message, ask, { status, retryAfterS })
}

function whatToAsk({ status }: VtnAnswer, error: string | undefined, { scope, audience }: VtnAccess): string {
  if (status === 501 || status === 404 || status === 405)
    return 'What are the base URL of the API and the token URL? There are no tokens at this address.'
  if (status >= 500 || status === 429) return 'Does the authorization server have a problem at present?'
  const sent = `we send ${scope === undefined ? 'no scope' : `the scope ${scope}`} and ${audience === undefined ? 'no audience' : `the audience ${audience}`}`
  if (error === 'invalid_scope') return `Which scope does our client ask for? At present ${sent}.`
  if (error === 'unauthorized_client' || error === 'unsupported_grant_type')
    return 'May our client use the grant client_credentials?'
  if (error === 'invalid_client') return 'Are our client id and secret right, and is the client active?'
  return `Are client id and secret right, and which scope and audience does the authorization server want? At present ${sent}.`
}
