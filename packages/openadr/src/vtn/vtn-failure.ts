import { readProblem } from '../normal/objects.ts'
import { parseIfJson } from './vtn-json.ts'

/**
 * - `unreachable`: no answer.
 * - `token`: the authorization server gives no token.
 * - `forbidden`: the VTN refuses us, even with a new token.
 * - `busy`: it asks us to wait.
 * - `missing`: the address or the object does not exist.
 * - `unsupported`: the VTN does not have this part of the standard.
 * - `refused`: it refuses what we send.
 * - `broken`: it has an error, or its answer is not OpenADR.
 * - `changing`: its list changed each time we read it.
 * - `too-large`: more than we read.
 */
export type VtnFailureKind =
  | 'unreachable'
  | 'token'
  | 'forbidden'
  | 'busy'
  | 'missing'
  | 'unsupported'
  | 'refused'
  | 'broken'
  | 'changing'
  | 'too-large'

/** A VTN did not do what we asked. The message says what it answered; `ask` is the question for its operator. */
export class VtnFailure extends Error {
  readonly kind: VtnFailureKind
  readonly ask: string
  /** The HTTP status; `null` without an answer. */
  readonly status: number | null
  /** When it is worth trying again, where the VTN says so. */
  readonly retryAfterS: number | null

  constructor(
    kind: VtnFailureKind,
    message: string,
    ask: string,
    {
      status = null,
      retryAfterS = null,
      cause,
    }: { status?: number | null; retryAfterS?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'VtnFailure'
    this.kind = kind
    this.ask = ask
    this.status = status
    this.retryAfterS = retryAfterS
  }
}

/** What a VTN answered. */
export interface VtnAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

const MAX_QUOTED = 300

/** Turns an answer that is not a success into a failure. `what` is what we tried, for example `GET events`. */
export function failureOf(answer: VtnAnswer, what: string, now: number): VtnFailure {
  const { status } = answer
  const said = quoted(answer)
  const scope = wantedScope(answer)
  const options = { status, retryAfterS: retryAfter(answer, now) }
  const failure = (kind: VtnFailureKind, ask: string) =>
    new VtnFailure(kind, `${what}: the VTN answered ${status}${said && ` (${said})`}`, ask, options)
  if (status === 401)
    return failure('forbidden', 'Does the VTN accept tokens of this authorization server, scope and audience?')
  if (status === 403)
    return failure(
      'forbidden',
      scope === undefined
        ? 'Which scopes and targets does our client have, and is it enrolled in the program?'
        : `Does our client get the scope ${scope}, which the VTN wants here?`,
    )
  if (status === 404)
    return failure('missing', 'What is the base URL of the API, with its path, and is our client enrolled?')
  if (status === 429 || status === 503) return failure('busy', 'How often may we poll?')
  if (status === 405 || status === 501) return failure('unsupported', 'Which parts of OpenADR 3 does the VTN have?')
  if (status >= 300 && status < 400)
    return failure(
      'broken',
      `What is the final base URL? The VTN redirects to ${header(answer, 'location') ?? 'nowhere'}.`,
    )
  if (status >= 500) return failure('broken', 'Does the VTN have a problem at present?')
  return failure('refused', 'Which version and profile of OpenADR 3 does the VTN expect?')
}

/** The scope that a refusal names, as RFC 6750 has it. */
const wantedScope = (answer: VtnAnswer) =>
  /\bscope="([\w .:/-]{1,200})"/.exec((header(answer, 'www-authenticate') ?? '').slice(0, 2000))?.[1]

/** What the VTN says, as text of bounded length; never markup. */
function quoted(answer: VtnAnswer): string {
  const problem = readProblem(parseIfJson(answer.body))
  const parts = [problem?.title, problem?.detail].filter((part) => part !== null && part !== undefined && part !== '')
  return parts.join(': ').slice(0, MAX_QUOTED)
}

/** Parses the body of a success. */
export function parsedBody(answer: VtnAnswer, what: string): unknown {
  const body = parseIfJson(answer.body)
  if (body !== undefined) return body
  const isMarkup = answer.body.trimStart().startsWith('<')
  const ask = isMarkup
    ? 'What is the base URL of the API? This one leads to a web page.'
    : 'What is the base URL of the API, and which version does it have?'
  const found = isMarkup ? 'a web page' : 'something that is not JSON'
  throw new VtnFailure('broken', `${what}: the VTN answered ${answer.status} with ${found}`, ask, {
    status: answer.status,
  })
}

export function header({ headers }: VtnAnswer, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

const LONGEST_WAIT_S = 86_400
/** `Retry-After` in seconds, as a number or a date, at most a day. */
function retryAfter(answer: VtnAnswer, now: number): number | null {
  const text = header(answer, 'retry-after')?.trim()
  if (text === undefined || text.length > 40) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT_S) : null
}
