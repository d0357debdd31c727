import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv4, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { type Bounds, MAX_HEADER_BYTES } from './bounds.ts'
import type { KeptOptions } from './kept-connections.ts'
import { OutboundFailure, type Times } from './times.ts'

const CHUNK_BYTES = 64 * 1024

/** A request to an address that people entered. */
export interface Outgoing {
  method: string
  headers: Readonly<Record<string, string>>
  /** May be larger than memory. */
  body?: Readable | Uint8Array | string | undefined
  /** Path and query exactly as they were signed; by default those of the address. */
  path?: string | undefined
  signal?: AbortSignal | undefined
  /** Keeps the connection for the next request. Only without a body, and where sending it twice does no harm. */
  keepsConnection?: boolean | undefined
  /** The organization on whose behalf it is sent, or `OPERATOR`. */
  group: string
  bounds: Bounds
}

/** The answer to a request, with its body or the first part of it. */
export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The server closed a kept connection before it saw the request, or answered nothing. */
export class StaleConnection extends Error {}

interface Way {
  times: Times
  /** Connects to one of these and to no other, whatever the name resolves to by now. */
  addresses: readonly string[] | undefined
  /** Keeps the connection. Without one, the request has a connection of its own. */
  agent?: Agent | undefined
}

/**
 * Sends one request, and reads the answer up to its bounds. The certificate is checked against the name. Rejects with a
 * `StaleConnection` when a kept connection did not last.
 */
export function exchange(
  url: URL,
  { method, headers, body, path, bounds }: Outgoing,
  { times, addresses, agent }: Way,
): Promise<Answered> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const fail = (error: Error) => {
      sent.destroy()
      if (times.signal.aborted) return reject(times.signal.reason as Error)
      reject(sent.reusedSocket && !isAnswered ? new StaleConnection('', { cause: error }) : error)
    }
    const options: KeptOptions = {
      method,
      agent: agent ?? false,
      headers: { 'user-agent': 'Plantroom', ...headers, 'accept-encoding': 'identity', ...lengthOf(body) },
      maxHeaderSize: MAX_HEADER_BYTES,
      signal: times.signal,
      ...(path !== undefined && { path }),
      ...(addresses && { lookup: onlyTo(addresses), guardedAddresses: addresses.toSorted().join() }),
    }
    const sent = request(url, options)
    sent.on('error', fail)
    sent.on('finish', () => times.sent())
    sent.on('response', (answer) => {
      isAnswered = true
      readAnswer(answer, bounds, times).then((read) => {
        resolve(read)
        // An answer that comes before the end of the body, such as a refusal, ends the exchange.
        if (body instanceof Readable) body.destroy()
        if (!agent) sent.destroy()
      }, fail)
    })
    sendBody(sent, body, times, fail)
  })
}

async function readAnswer(answer: IncomingMessage, bounds: Bounds, times: Times): Promise<Answered> {
  const { answerBytes, beyond } = bounds
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    times.moved()
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > answerBytes && beyond === 'fail') {
      throw new OutboundFailure('EMSGSIZE', `the answer has more than ${answerBytes} bytes`)
    }
    if (bytes >= answerBytes && beyond === 'cut') break
  }
  const body = Buffer.concat(chunks).subarray(0, answerBytes)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body }
}

const lengthOf = (body: Outgoing['body']) =>
  body === undefined || body instanceof Readable ? {} : { 'content-length': String(Buffer.byteLength(body)) }

function sendBody(sent: ClientRequest, body: Outgoing['body'], times: Times, fail: (error: Error) => void): void {
  if (body === undefined) return void sent.end()
  // In chunks, so that a slow receiver shows that it takes something.
  const source = body instanceof Readable ? body : Readable.from(chunksOf(body))
  source.on('data', () => times.moved())
  source.on('error', fail)
  source.pipe(sent)
}

function* chunksOf(body: Uint8Array | string): Generator<Buffer> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length)
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES)
}

/** A lookup that finds these addresses, whatever the name. */
function onlyTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
  return (_name, options, done) => {
    const [first] = found
    if (options.all) done(null, found)
    else done(null, first?.address ?? '', first?.family ?? 4)
  }
}
