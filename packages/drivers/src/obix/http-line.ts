import * as http from 'node:http'
import * as https from 'node:https'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener, ProtocolDeps } from '../driver.ts'
import { excerpt } from '../excerpt.ts'

export interface LineRequest {
  method: 'GET' | 'PUT' | 'POST'
  path: string
  /** The path for the second attempt after a socket failure, when the server may have received the first. */
  pathAgain?: string | undefined
  headers: Record<string, string>
  body?: string | undefined
  /** Called right before the request is sent. If it returns false, nothing is sent. */
  stillWanted?: (() => boolean) | undefined
}

/** `body` is the text, or the reason why it was not read completely. */
export interface Reply {
  status: number
  body: { text: string } | { reason: string }
}

export interface HttpLine {
  /**
   * Rejects with `Unanswered` if no complete answer came in time, and with a `Failure` of kind `conflict` if the request
   * was no longer wanted.
   */
  ask(request: LineRequest): Promise<Reply>
  /** Rejects the request in progress. */
  close(): void
}

interface Bounds {
  /** The time for the whole exchange, even if an answer keeps trickling in. */
  timeoutMs: number
  maxBodyBytes: number
  /** The certificates to trust instead of the system's. */
  trusted: string | undefined
  /** If false, the socket is closed after each answer. */
  keepAlive: boolean
}

/** The server did not answer a request: it may or may not have carried it out. */
export class Unanswered extends Failure {}

export interface LineDeps extends ProtocolDeps {
  listener?: DriverListener | undefined
}

/** Opens an HTTP connection over one socket. Never keeps more of an answer in memory than `bounds` allow. */
export function openHttpLine(server: URL, bounds: Bounds, { clock, lookup, listener }: LineDeps): HttpLine {
  const { timeoutMs, maxBodyBytes, trusted, keepAlive } = bounds
  const { request: send, Agent } = server.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive })
  const closing = new AbortController()
  const where = {
    // An IPv6 address has brackets in a URL, but not here.
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port,
    ...(trusted !== undefined && { ca: trusted }),
    ...(lookup && { lookup }),
  }
  const host = excerpt(server.host)
  const offline = (reason: string) => new Unanswered('offline', `${host} ${reason}`)

  function exchange(about: LineRequest, over: http.Agent | false, givenMs: number): Promise<Reply> {
    const { method, path, headers, body } = about
    return new Promise((resolve, reject) => {
      if (closing.signal.aborted) return reject(closed())
      const request = send({ ...where, method, path, headers, agent: over })

      const end = (outcome: Reply | Error) => {
        cancelTimeout()
        closing.signal.removeEventListener('abort', abort)
        // Do not read the rest of an answer that is too long or too late.
        if (outcome instanceof Error || 'reason' in outcome.body) request.destroy()
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      const abort = () => end(closed())
      const cancelTimeout = clock.after(givenMs, () => {
        listener?.timedOut()
        end(offline(`did not answer within ${timeoutMs} ms`))
      })
      closing.signal.addEventListener('abort', abort)

      request.on('error', (error) => {
        const stale = request.reusedSocket && STALE.includes(codeOf(error))
        end(stale ? new StaleSocket() : offline(reasonOf(error)))
      })
      request.on('response', (response) => {
        const status = response.statusCode ?? 0
        const refuse = (reason: string) => end({ status, body: { reason } })
        const tooLong = `it is longer than ${maxBodyBytes} bytes`
        // A small compressed body can be huge when decompressed.
        if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') return refuse('it is compressed')
        if (Number(response.headers['content-length']) > maxBodyBytes) return refuse(tooLong)
        const chunks: Buffer[] = []
        let length = 0
        response.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length > maxBodyBytes) refuse(tooLong)
          else chunks.push(chunk)
        })
        response.on('error', () => end(offline('closed the connection in the middle of an answer')))
        response.on('end', () => end({ status, body: { text: new TextDecoder().decode(Buffer.concat(chunks)) } }))
      })
      request.end(body)
    })
  }

  return {
    async ask(request) {
      const { path, pathAgain = path, stillWanted = () => true } = request
      const deadline = clock.monotonic() + timeoutMs
      if (!stillWanted()) throw new Failure('conflict', 'the value is no longer wanted; nothing was sent')
      try {
        return await exchange(request, agent, timeoutMs)
      } catch (error) {
        // Servers close idle sockets, sometimes just when they are reused.
        if (!(error instanceof StaleSocket)) throw error
        if (!stillWanted()) throw offline(REASONS.ECONNRESET as string)
        return exchange({ ...request, path: pathAgain }, false, deadline - clock.monotonic())
      }
    },
    close() {
      closing.abort()
      agent.destroy()
    },
  }
}

const closed = () => new Failure('offline', 'the connection was closed')

class StaleSocket extends Error {}
const STALE: readonly string[] = ['ECONNRESET', 'EPIPE']

const NOT_TRUSTED = 'has an untrusted certificate: set ca to a file with this certificate or its issuer'

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection without an answer',
  EPIPE: 'closed the connection without an answer',
  ETIMEDOUT: 'did not accept the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ENOTFOUND: 'is an unknown host name',
  EAI_AGAIN: 'is a host name that could not be resolved',
  EPROTO: 'uses an incompatible version of TLS, or none',
  CERT_HAS_EXPIRED: 'has an expired certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
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
