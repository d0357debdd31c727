import { STATUS_CODES } from 'node:http'
import { Failure } from '@plantroom/contract/failure'
import { excerpt } from '../excerpt.ts'
import { createQueue } from '../queue.ts'
import { errorsIn, errorText, type Show } from './codec.ts'
import type { ObixSettings } from './config.ts'
import { type HttpLine, type LineDeps, type LineRequest, openHttpLine, type Reply } from './http-line.ts'
import { type ObixObject, parseXml } from './xml.ts'

export interface Request extends Omit<LineRequest, 'headers'> {
  /** Requests with a lower rank go first on their line; the default is `RANK.read`. */
  rank?: number
  /** Requests with the same key are never sent at the same time. */
  key?: string
}

/** The longest time that a request without an answer may delay a write, which then goes over another socket. */
const MAX_DELAY_MS = 3000

/** The order of queued requests on the urgent line. */
export const RANK = { release: 0, setpoint: 2, read: 4 } as const

/**
 * The server's answer: an object, an empty body, a refusal (nothing was done), or something that cannot be parsed (it may
 * or may not have been done).
 */
export type Answer =
  | { kind: 'object'; object: ObixObject }
  | { kind: 'empty' }
  | { kind: 'refused' | 'unclear'; reason: string }

/** Rejects with `Unanswered` if no answer came, and with a `Failure` of kind `offline` if the server denies access. */
export type Ask = (request: Request) => Promise<Answer>

/** An oBIX server over HTTP, on independent lines. Each line sends one request at a time, as long as it is answered. */
export interface Client {
  urgent: Ask
  poll: Ask
  /** For requests that will probably get no answer. */
  spare: Ask
  /** Rejects all requests in progress and in the queue. */
  close(): void
}

/** @param trusted the certificates to trust instead of the system's */
export function createClient(settings: ObixSettings, trusted: string | undefined, deps: LineDeps): Client {
  const { credentials, timeoutMs, maxBodyBytes } = settings
  const server = new URL(settings.url)
  const token = credentials && basicToken(credentials)
  const show = hideSecrets(credentials)
  const lines: HttpLine[] = []

  function askOn(keepAlive: boolean): Ask {
    const line = openHttpLine(server, { timeoutMs, maxBodyBytes, trusted, keepAlive }, deps)
    lines.push(line)
    const afterMs = Math.min(timeoutMs, MAX_DELAY_MS)
    const inTurn = createQueue({ clock: deps.clock, below: RANK.read, afterMs })
    return async ({ rank = RANK.read, key, ...request }) => {
      const headers = headersOf(token, request.body)
      const reply = await inTurn(() => line.ask({ ...request, headers }), rank, key)
      const answer = toAnswer(reply, show)
      for (let left = refusalsIn(reply, answer); left > 0; left -= 1) deps.listener?.exception()
      if (reply.status === 401) {
        const what = token === undefined ? 'requires a username and password' : 'rejected the username or password'
        throw new Failure('offline', `${excerpt(server.host)} ${what}`)
      }
      return answer
    }
  }

  return {
    urgent: askOn(true),
    poll: askOn(true),
    spare: askOn(false),
    close: () => {
      for (const line of lines) line.close()
    },
  }
}

function headersOf(token: string | undefined, body: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: 'text/xml, application/xml', 'accept-encoding': 'identity' }
  if (token !== undefined) headers.authorization = `Basic ${token}`
  if (body !== undefined) {
    headers['content-type'] = 'text/xml; charset=utf-8'
    headers['content-length'] = String(Buffer.byteLength(body))
  }
  return headers
}

function toAnswer({ status, body }: Reply, show: Show): Answer {
  const document = 'text' in body ? parsed(body.text, show) : body
  // An err is the best description of the problem, whatever the HTTP status.
  if (document && 'tag' in document && document.tag === 'err') {
    return { kind: 'refused', reason: errorText(document, show) }
  }
  if (!isSuccess(status)) {
    return { kind: hasDoneNothing(status) ? 'refused' : 'unclear', reason: `the server answered ${statusText(status)}` }
  }
  if (!document) return { kind: 'empty' }
  if ('tag' in document) return { kind: 'object', object: document }
  return { kind: 'unclear', reason: `the server sent an unusable answer: ${document.reason}` }
}

/** Counts the refusals in an answer: one for the whole answer, or one for each err in a batch or a watch. */
function refusalsIn({ status }: Reply, answer: Answer): number {
  if (answer.kind === 'object') return errorsIn(answer.object)
  return answer.kind === 'refused' || !isSuccess(status) ? 1 : 0
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** Returns `undefined` if the text is empty. */
function parsed(text: string, show: Show): ObixObject | { reason: string } | undefined {
  if (text.trim() === '') return undefined
  try {
    return parseXml(text)
  } catch (error) {
    return { reason: show((error as Error).message) }
  }
}

/** Returns true for redirects, client errors, and servers that cannot serve the request. */
const hasDoneNothing = (status: number) => status < 500 || status === 501 || status === 503

function statusText(status: number): string {
  const name = STATUS_CODES[status]
  const redirection = status >= 300 && status < 400 ? ', but redirects are not followed' : ''
  return `${status}${name === undefined ? '' : ` ${name}`}${redirection}`
}

/** Returns the credentials as basic authentication sends them. */
function basicToken({ username, password }: NonNullable<ObixSettings['credentials']>): string {
  return Buffer.from(`${username}:${password}`).toString('base64')
}

// Replacing a shorter secret would make messages unreadable and hide little.
const MIN_HIDDEN_LENGTH = 3

/** Returns a function that shortens text of a server to one line. Replaces our secrets, which the server may repeat. */
export function hideSecrets(credentials: ObixSettings['credentials']): Show {
  if (!credentials) return excerpt
  const secrets = [credentials.password, basicToken(credentials)].filter((each) => each.length >= MIN_HIDDEN_LENGTH)
  return (text) => excerpt(secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text))
}
