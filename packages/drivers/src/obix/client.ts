import { STATUS_CODES } from 'node:http'
import { Failure } from '@plantroom/contract/failure'
import { excerpt } from '../excerpt.ts'
import { createQueue } from '../queue.ts'
import { errorsIn, errorText, type Show } from './codec.ts'
import type { ObixSettings } from './config.ts'
import { type Line, type LineDeps, openLine, type Question, type Reply } from './exchange.ts'
import { basicToken, showingNoSecrets } from './secrets.ts'
import { type ObixObject, parseXml } from './xml.ts'

export interface Request extends Omit<Question, 'headers'> {
  /** A question of a lower rank goes first on its line; `RANK.read` without one. */
  rank?: number
}

/** The order of questions that wait for the urgent line. */
export const RANK = { release: 0, setpoint: 2, read: 4 } as const

/**
 * An answer of the server: an object, an empty body, a refusal (then it did nothing), or something that cannot be
 * understood (then it may or may not have done it).
 */
export type Answer =
  | { kind: 'object'; object: ObixObject }
  | { kind: 'empty' }
  | { kind: 'refused' | 'unclear'; reason: string }

/** Rejects with `Unanswered` when no answer came, and with a `Failure` `offline` when the server denies us access. */
export type Ask = (request: Request) => Promise<Answer>

/** An oBIX server over HTTP, on lines that do not wait for each other. On each there is one question at a time. */
export interface Client {
  urgent: Ask
  patient: Ask
  /** For questions that will probably stay unanswered. */
  spare: Ask
  /** Rejects what is under way and what waits. */
  close(): void
}

/** @param trusted the certificates that are trusted in place of the system's */
export function createClient(settings: ObixSettings, trusted: string | undefined, deps: LineDeps): Client {
  const { credentials, timeoutMs, maxBodyBytes } = settings
  const server = new URL(settings.url)
  const token = credentials && basicToken(credentials)
  const show = showingNoSecrets(credentials)
  const lines: Line[] = []

  function askOn(keepAlive: boolean): Ask {
    const line = openLine(server, { timeoutMs, maxBodyBytes, trusted, keepAlive }, deps)
    lines.push(line)
    const inTurn = createQueue()
    return async ({ rank = RANK.read, ...request }) => {
      const headers = headersOf(token, request.body)
      const reply = await inTurn(() => line.ask({ ...request, headers }), rank)
      const answer = toAnswer(reply, show)
      for (let left = refusalsIn(reply, answer); left > 0; left -= 1) deps.listener?.exception()
      if (reply.status === 401) {
        const what = token === undefined ? 'asks for a username and password' : 'does not accept username and password'
        throw new Failure('offline', `${excerpt(server.host)} ${what}`)
      }
      return answer
    }
  }

  return {
    urgent: askOn(true),
    patient: askOn(true),
    spare: askOn(false),
    close: () => {
      for (const line of lines) line.hangUp()
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
  // An err says best what is wrong, whatever its status.
  if (document && 'tag' in document && document.tag === 'err') {
    return { kind: 'refused', reason: errorText(document, show) }
  }
  if (!isSuccess(status)) {
    return { kind: hasDoneNothing(status) ? 'refused' : 'unclear', reason: `the server answered ${statusText(status)}` }
  }
  if (!document) return { kind: 'empty' }
  if ('tag' in document) return { kind: 'object', object: document }
  return { kind: 'unclear', reason: `the answer of the server is not taken: ${document.reason}` }
}

/** One for the whole answer, or one for each err in place of an object of a batch or a watch. */
function refusalsIn({ status }: Reply, answer: Answer): number {
  if (answer.kind === 'object') return errorsIn(answer.object)
  return answer.kind === 'refused' || !isSuccess(status) ? 1 : 0
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** `undefined`: the text is empty. */
function parsed(text: string, show: Show): ObixObject | { reason: string } | undefined {
  if (text.trim() === '') return undefined
  try {
    return parseXml(text)
  } catch (error) {
    return { reason: show((error as Error).message) }
  }
}

/** True for redirections, mistakes of ours, and servers that are unable or not ready. */
const hasDoneNothing = (status: number) => status < 500 || status === 501 || status === 503

function statusText(status: number): string {
  const name = STATUS_CODES[status]
  const redirection = status >= 300 && status < 400 ? ', but redirections are not followed' : ''
  return `${status}${name === undefined ? '' : ` ${name}`}${redirection}`
}
