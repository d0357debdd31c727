import { type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { onlyTo } from './post.ts'

const MAX_ANSWER_BYTES = 64 * 1024

/** The answer to a request: its status, headers and the first part of its body. */
export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * Sends a request, with a body that may be larger than memory, and reads the first part of the answer. Follows no
 * redirect, and connects to one of `addresses` and to no other. The certificate is checked against the name.
 */
export function exchange(
  url: URL,
  {
    method,
    headers,
    body,
    signal,
    addresses,
  }: {
    method: string
    headers: Readonly<Record<string, string>>
    body?: Readable | string | undefined
    signal: AbortSignal
    addresses: readonly string[]
  },
): Promise<Answered> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      if (typeof body === 'object') body.destroy()
      reject(signal.aborted ? (signal.reason as Error) : error)
    }
    const sent = request(
      url,
      { method, agent: false, headers: { 'user-agent': 'Plantroom', ...headers }, signal, lookup: onlyTo(addresses) },
      (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        const done = () => {
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES),
          })
          // An answer that comes before the end of the body, such as a refusal, ends the exchange.
          if (typeof body === 'object') body.destroy()
          sent.destroy()
        }
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes >= MAX_ANSWER_BYTES) done()
        })
        answer.on('end', done)
        answer.on('error', fail)
      },
    )
    sent.on('error', fail)
    if (typeof body === 'object') {
      body.on('error', (error) => {
        sent.destroy(error)
        reject(error)
      })
      body.pipe(sent)
    } else sent.end(body)
  })
}
