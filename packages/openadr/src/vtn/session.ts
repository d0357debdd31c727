import { connectionFailure } from './connection-failure.ts'
import { fetchToken, isUsable, type Token } from './token.ts'
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

export function openSession(given: VtnAccess, deps: VtnDeps): Session {
  const access = { ...given, baseUrl: withoutSlash(given.baseUrl) }
  let token: Promise<Token> | undefined
  let difference: number | null = null

  async function currentToken(): Promise<string | undefined> {
    if (access.clientId === undefined) return undefined
    token ??= fetchToken(access, { ...deps, send })
    const asked = token
    try {
      const found = await asked
      if (isUsable(found, deps.now())) return found.value
    } catch (error) {
      if (token === asked) token = undefined
      throw error
    }
    // Expired: others that found the same one wait for the same new one.
    if (token === asked) token = fetchToken(access, { ...deps, send })
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
    const bearer = await currentToken()
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
    })
    difference = differenceOf(answer, sentAt, deps.now())
    return answer
  }

  return {
    access,
    deps,
    token: currentToken,
    clockDifferenceMs: () => difference,
    async call(call) {
      const used = token
      let answer = await attempt(call)
      if (answer.status === 401 && access.clientId !== undefined) {
        if (token === used || used === undefined) token = undefined
        answer = await attempt(call)
      }
      const isFine = (answer.status >= 200 && answer.status < 300) || call.accepted?.includes(answer.status)
      if (!isFine) throw failureOf(answer, `${call.method} ${call.path.slice(0, 200)}`, deps.now())
      return answer
    },
  }
}

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
