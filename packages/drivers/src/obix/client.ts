import { STATUS_CODES } from 'node:http'
import { Failure } from '@plantroom/contract/failure'
import { errorsIn, errorText, excerpt } from './codec.ts'
import type { ObixSettings } from './config.ts'
import { type Line, type LineDeps, openLine, type Question, type Reply } from './exchange.ts'
import { createQueue } from './queue.ts'
import { basicToken, concealing } from './secrets.ts'
import { type ObixObject, parseXml } from './xml.ts'

export type Request = Omit<Question, 'headers'>

/**
 * What the server answered: an object, an empty body, that it refused (then it has done nothing), or something that
 * cannot be understood (then nobody knows).
 */
export type Answer =
  | { kind: 'object'; object: ObixObject }
  | { kind: 'empty' }
  | { kind: 'refused' | 'unclear'; reason: string }

/** Rejects with a `Failure` `offline` when no answer came, or when the server does not know us. */
export type Ask = (request: Request) => Promise<Answer>

/** An oBIX server over HTTP. Two sockets: what is urgent does not wait for what is not; on each one question at a time. */
export interface Client {
  urgent: Ask
  patient: Ask
  /** What is under way and what waits is rejected. */
  close(): void
}

/** @param trusted the certificates that are trusted in place of the system's */
export function createClient(settings: ObixSettings, trusted: string | undefined, deps: LineDeps): Client {
  const { credentials, timeoutMs, maxBodyBytes } = settings
  const server = new URL(settings.url)
  const token = credentials && basicToken(credentials)
  const conceal = concealing(credentials)
  const lines: Line[] = []

  function askOn(line: Line): Ask {
    lines.push(line)
    const inTurn = createQueue()
    return async (request) => {
      const headers = headersOf(token, request.body)
      const reply = await inTurn(() => line.ask({ ...request, headers }))
      const answer = toAnswer(reply)
      for (let left = refusalsIn(reply, answer); left > 0; left -= 1) deps.listener?.exception()
      if (reply.status === 401) {
        const what = token === undefined ? 'asks for a username and password' : 'does not accept username and password'
        throw new Failure('offline', `${server.host} ${what}`)
      }
      return 'reason' in answer ? { kind: answer.kind, reason: conceal(answer.reason) } : answer
    }
  }

  const open = () => openLine(server, { timeoutMs, maxBodyBytes, trusted }, deps)
  return {
    urgent: askOn(open()),
    patient: askOn(open()),
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

function toAnswer({ status, body }: Reply): Answer {
  const document = 'text' in body ? parsed(body.text) : body
  // With whatever status it comes, an err says best what is wrong.
  if (document && 'tag' in document && document.tag === 'err') return { kind: 'refused', reason: errorText(document) }
  if (!isSuccess(status)) {
    return { kind: hasDoneNothing(status) ? 'refused' : 'unclear', reason: `the server answered ${statusText(status)}` }
  }
  if (!document) return { kind: 'empty' }
  if ('tag' in document) return { kind: 'object', object: document }
  return { kind: 'unclear', reason: `the answer of the server is not taken: ${document.reason}` }
}

/** One for the whole, or one for each err that stands for an object of a batch or of a watch. */
function refusalsIn({ status }: Reply, answer: Answer): number {
  if (answer.kind === 'object') return errorsIn(answer.object)
  return answer.kind === 'refused' || !isSuccess(status) ? 1 : 0
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** `undefined`: there is nothing. */
function parsed(text: string): ObixObject | { reason: string } | undefined {
  if (text.trim() === '') return undefined
  try {
    return parseXml(text)
  } catch (error) {
    return { reason: excerpt((error as Error).message) }
  }
}

/** So it is with redirections, mistakes of ours, and servers that are not able or not ready. */
const hasDoneNothing = (status: number) => status < 500 || status === 501 || status === 503

function statusText(status: number): string {
  const name = STATUS_CODES[status]
  const redirection = status >= 300 && status < 400 ? ', but redirections are not followed' : ''
  return `${status}${name === undefined ? '' : ` ${name}`}${redirection}`
}
