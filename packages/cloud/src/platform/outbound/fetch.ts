import type { Bounds } from './bounds.ts'
import type { Transport } from './transport.ts'

/** Statuses whose answers have no body. */
const WITHOUT_BODY = new Set([204, 205, 304])

interface FetchOptions {
  method?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  body?: unknown
  signal?: AbortSignal | null | undefined
}

/** The transport as the function `fetch`, for libraries that take one. Never follows a redirect. */
export function fetchThrough(
  transport: Transport,
  { group, bounds }: { group: string; bounds: Bounds },
): (url: string, options?: FetchOptions) => Promise<Response> {
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    const sent = body === undefined || body === null ? undefined : body instanceof Uint8Array ? body : String(body)
    const outgoing = { method, headers, body: sent, signal: signal ?? undefined, group, bounds }
    const answer = await transport.send(new URL(url), outgoing).catch((cause: unknown) => {
      if (signal?.aborted) throw cause
      throw new TypeError('fetch failed', { cause })
    })
    const given = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const { status } = answer
    return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(answer.body), { status, headers: given })
  }
}
