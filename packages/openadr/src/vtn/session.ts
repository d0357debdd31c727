import { connectionFailure } from './connection-failure.ts'
import { hideSecrets } from './hide-secrets.ts'
import { fetchToken, isUsable, secretsOf, type Token } from './token.ts'
import { type VtnAccess, type VtnDeps, type VtnRequest, withoutSlash } from './vtn-access.ts'
import { failureOf, header, type VtnAnswer, VtnFailure } from './vtn-failure.ts'

export interface Call {
  readonly method: VtnRequest['method']
  /** For example `events`. Ids in it are encoded. */
  readonly path: string
  /** A list is written as `targets=a&targets=b`. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that are no failure, beside 2xx. */
  readonly accepted?: readonly number[]
  readonly signal?: AbortSignal | undefined
}

/** Sends authorized requests to one VTN. Keeps the token, and renews it once when the VTN no longer takes it. */
export interface Session {
  readonly access: VtnAccess
  readonly deps: VtnDeps
  call(call: Call): Promise<VtnAnswer>
  /** How far the clock of the VTN is ahead of ours, as of its last answer; `null` when it does not say. */
  clockDifferenceMs(): number | null
  /** The token of the session, for an MQTT broker that wants it. */
  token(): Promise<string | undefined>
}

const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024
/** Tokens whose echo is recognized: a VTN may speak of one that has expired. */
const KEPT_TOKENS = 4

export function openSession(given: VtnAccess, deps: VtnDeps): Session {
  const access = { ...given, baseUrl: withoutSlash(given.baseUrl) }
  let token: Promise<Token> | undefined
  let difference: number | null = null
  let sentTokens: readonly string[] = []
  const filterOf = () => hideSecrets([...sentTokens, ...secretsOf(access)], access.ownSecrets)
  let filter = filterOf()

  async function currentToken(signal?: AbortSignal): Promise<string | undefined> {
    if (access.clientId === undefined) return undefined
    const fetched = () => fetchToken(access, { ...deps, send: (request) => send({ ...request, signal }) })
    token ??= fetched()
    const asked = token
    try {
      const found = await asked
      if (isUsable(found, deps.now())) return found.value
    } catch (error) {
      if (token === asked) token = undefined
      throw error
    }
    // Expired: others that found the same one wait for the same new one.
    if (token === asked) token = fetched()
    return (await token).value
  }

  async function send(request: VtnRequest): Promise<VtnAnswer> {
    let answer: VtnAnswer
    try {
      answer = await deps.send(request)
    } catch (cause) {
      throw connectionFailure(request.url, cause)
    }
    if (answer.body.length > MAX_ANSWER_CHARACTERS)
      throw new VtnFailure(
        'too-large',
        `the answer has ${answer.body.length} characters`,
        'Can the VTN send fewer objects?',
      )
    return answer
  }

  async function attempt(call: Call): Promise<VtnAnswer> {
    const bearer = await currentToken(call.signal)
    if (bearer !== undefined && !sentTokens.includes(bearer)) {
      sentTokens = [bearer, ...sentTokens].slice(0, KEPT_TOKENS)
      filter = filterOf()
    }
    const sentAt = deps.now()
    const answer = await send({
      method: call.method,
      url: `${access.baseUrl}/${call.path}${queryOf(call.query)}`,
      headers: {
        accept: 'application/json',
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      signal: call.signal,
    })
    difference = differenceOf(answer, sentAt, deps.now())
    return isSuccess(answer) ? filter.success(answer) : filter.failure(answer)
  }

  return {
    access,
    deps,
    token: () => currentToken(),
    clockDifferenceMs: () => difference,
    async call(call) {
      const used = token
      let answer = await attempt(call)
      if (answer.status === 401 && access.clientId !== undefined) {
        if (token === used || used === undefined) token = undefined
        answer = await attempt(call)
      }
      const isFine = isSuccess(answer) || call.accepted?.includes(answer.status)
      if (!isFine) throw failureOf(answer, `${call.method} ${call.path.slice(0, 200)}`, deps.now())
      return answer
    },
  }
}

const isSuccess = ({ status }: VtnAnswer) => status >= 200 && status < 300

function queryOf(query: Call['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

const DATE_RESOLUTION_MS = 1000

/** The header has whole seconds, and the answer took some time: what these explain is no difference. */
function differenceOf(answer: VtnAnswer, sentAt: number, receivedAt: number): number | null {
  const date = Date.parse(header(answer, 'date') ?? '')
  if (Number.isNaN(date)) return null
  if (date + DATE_RESOLUTION_MS < sentAt) return date + DATE_RESOLUTION_MS - sentAt
  return date > receivedAt ? date - receivedAt : 0
}
