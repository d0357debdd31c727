import { Readable } from 'node:stream'
import { BOUNDS } from './bounds.ts'
import type { Outgoing } from './exchange.ts'
import type { Transport } from './transport.ts'

/** A request as the SDK of S3 has signed it. */
interface SignedRequest {
  method: string
  protocol: string
  hostname: string
  port?: number | undefined
  path: string
  query?: Readonly<Record<string, string | readonly string[] | null>> | undefined
  headers: Readonly<Record<string, string>>
  body?: unknown
}

/**
 * The `requestHandler` of a client for a bucket that a person entered: all requests of the SDK go through the transport. The
 * SDK reads each answer whole, so the transport bounds it.
 */
export function bucketRequests(transport: Transport, group: string) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: SignedRequest, { abortSignal }: { abortSignal?: unknown } = {}) {
      const { protocol, hostname, port, method, headers } = request
      const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`)
      const body = request.body as Outgoing['body']
      const signal = abortSignal instanceof AbortSignal ? abortSignal : undefined
      const outgoing = { method, headers, body, path: pathOf(request), signal }
      const answer = await transport.send(url, { ...outgoing, group, bounds: BOUNDS.bucket })
      return {
        response: {
          statusCode: answer.status,
          headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
          body: Readable.from([answer.body], { objectMode: false }),
        },
      }
    },
    destroy() {},
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  }
}

/** Not through `URL`, which would change what was signed. */
function pathOf({ path, query = {} }: Pick<SignedRequest, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (value === null || typeof value === 'string' ? [value] : value).map((one) =>
      one === null ? encode(name) : `${encode(name)}=${encode(one)}`,
    ),
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
