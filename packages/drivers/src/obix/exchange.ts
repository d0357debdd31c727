import * as http from 'node:http'
import * as https from 'node:https'
import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import { excerpt } from '../excerpt.ts'

export interface Question {
  method: 'GET' | 'PUT' | 'POST'
  path: string
  /** The path for the second attempt, after the socket failed and the server may or may not have seen the first. */
  pathAgain?: string | undefined
  headers: Record<string, string>
  body?: string | undefined
  /** Called right before the question leaves. When it returns false nothing is sent. */
  stillWanted?: (() => boolean) | undefined
}

/** `body`: its text, or why it was not read to the end. */
export interface Reply {
  status: number
  body: { text: string } | { reason: string }
}

export interface Line {
  /**
   * Rejects with `Unanswered` when no whole answer came in time, and with a `Failure` `conflict` when the question was
   * no longer wanted.
   */
  ask(question: Question): Promise<Reply>
  /** Rejects what is under way. */
  hangUp(): void
}

interface Bounds {
  /** For the whole exchange, also when a slow answer keeps trickling in. */
  timeoutMs: number
  maxBodyBytes: number
  /** The certificates that are trusted in place of the system's. */
  trusted: string | undefined
  /** False closes the socket after each answer. */
  keepAlive: boolean
}

/** The server left a question without an answer: it may or may not have carried it out. */
export class Unanswered extends Failure {}

export interface LineDeps {
  clock: Clock
  listener?: DriverListener | undefined
}

/** HTTP to one server over one socket. An answer is never held in memory beyond its bounds. */
export function openLine(server: URL, bounds: Bounds, { clock, listener }: LineDeps): Line {
  const { timeoutMs, maxBodyBytes, trusted, keepAlive } = bounds
  const { request: send, Agent } = server.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive })
  const hungUp = new AbortController()
  const where = {
    // An IPv6 address has brackets in a URL, and none here.
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port,
    ...(trusted === undefined ? {} : { ca: trusted }),
  }
  const host = excerpt(server.host)
  const offline = (reason: string) => new Unanswered('offline', `${host} ${reason}`)

  function exchange(question: Question, over: http.Agent | false, givenMs: number): Promise<Reply> {
    const { method, path, headers, body } = question
    return new Promise((resolve, reject) => {
      if (hungUp.signal.aborted) return reject(closed())
      const request = send({ ...where, method, path, headers, agent: over })

      const end = (outcome: Reply | Error) => {
        cancelTimeout()
        hungUp.signal.removeEventListener('abort', abort)
        // The rest of an answer that is too long or too late is not read.
        if (outcome instanceof Error || 'reason' in outcome.body) request.destroy()
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      const abort = () => end(closed())
      const cancelTimeout = clock.after(givenMs, () => {
        listener?.timedOut()
        end(offline(`did not answer within ${timeoutMs} ms`))
      })
      hungUp.signal.addEventListener('abort', abort)

      request.on('error', (error) => {
        const stale = request.reusedSocket && STALE.includes(codeOf(error))
        end(stale ? new StaleSocket() : offline(reasonOf(error)))
      })
      request.on('response', (response) => {
        const status = response.statusCode ?? 0
        const refuse = (reason: string) => end({ status, body: { reason } })
        const tooLong = `it is longer than ${maxBodyBytes} bytes`
        // A small compressed body can be huge when it is unpacked.
        if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') return refuse('it is compressed')
        if (Number(response.headers['content-length']) > maxBodyBytes) return refuse(tooLong)
        const chunks: Buffer[] = []
        let length = 0
        response.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length > maxBodyBytes) refuse(tooLong)
          else chunks.push(chunk)
        })
        response.on('error', () => end(offline('broke off in the middle of an answer')))
        response.on('end', () => end({ status, body: { text: new TextDecoder().decode(Buffer.concat(chunks)) } }))
      })
      request.end(body)
    })
  }

  return {
    async ask(question) {
      const { path, pathAgain = path, stillWanted = () => true } = question
      const deadline = clock.monotonic() + timeoutMs
      if (!stillWanted()) throw new Failure('conflict', 'the value is no longer wanted; nothing was sent')
      try {
        return await exchange(question, agent, timeoutMs)
      } catch (error) {
        // Servers close idle sockets, sometimes just as they come into use again.
        if (!(error instanceof StaleSocket)) throw error
        if (!stillWanted()) throw offline(REASONS.ECONNRESET as string)
        return exchange({ ...question, path: pathAgain }, false, deadline - clock.monotonic())
      }
    },
    hangUp() {
      hungUp.abort()
      agent.destroy()
    },
  }
}

const closed = () => new Failure('offline', 'the connection was closed')

class StaleSocket extends Error {}
const STALE: readonly string[] = ['ECONNRESET', 'EPIPE']

const NOT_TRUSTED = 'shows a certificate that is not trusted: name a file that holds it, or its issuer, as ca'

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection without an answer',
  EPIPE: 'closed the connection without an answer',
  ETIMEDOUT: 'did not accept the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ENOTFOUND: 'is an unknown host name',
  EAI_AGAIN: 'is a host name that could not be resolved',
  EPROTO: 'does not speak TLS as we do',
  CERT_HAS_EXPIRED: 'shows a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate that was made for another name',
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
}

const codeOf = (error: Error & { code?: string }) => error.code ?? ''

function reasonOf(error: Error): string {
  const code = codeOf(error)
  if (code.startsWith('HPE_')) return 'sent something that is not HTTP'
  return REASONS[code] ?? `cannot be used: ${excerpt(error.message)}`
}
