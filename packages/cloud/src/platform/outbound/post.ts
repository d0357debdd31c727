import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv4, type LookupFunction } from 'node:net'

const MAX_ANSWER_BYTES = 1_000

/** The answer to a post: its status and the first part of its body. */
interface Posted {
  status: number
  text: string
}

/**
 * Posts a body and reads the first part of the answer. Follows no redirect. With `addresses`, connects to one of these and
 * to no other, whatever the name resolves to by now. The certificate is still checked against the name.
 */
export function post(
  url: URL,
  {
    headers,
    body,
    signal,
    addresses,
  }: {
    headers: Readonly<Record<string, string>>
    body: string
    signal: AbortSignal
    addresses?: readonly string[]
  },
): Promise<Posted> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { 'user-agent': 'Plantroom', ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
        ...(addresses && { lookup: onlyTo(addresses) }),
      },
      (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        const done = () => {
          resolve({ status: answer.statusCode ?? 0, text: readable(Buffer.concat(chunks)) })
          answer.destroy()
        }
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes >= MAX_ANSWER_BYTES) done()
        })
        answer.on('end', done)
        answer.on('error', reject)
      },
    )
    sent.on('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error))
    sent.end(body)
  })
}

/** A lookup that finds these addresses, whatever the name. */
export function onlyTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
  return (_name, options, done) => {
    const [first] = found
    if (options.all) done(null, found)
    else done(null, first?.address ?? '', first?.family ?? 4)
  }
}

/** Text that every column takes. An answer that was cut may end in half a character. */
function readable(bytes: Buffer): string {
  return bytes.subarray(0, MAX_ANSWER_BYTES).toString('utf8').replaceAll('\0', '\uFFFD')
}
