import { shown } from '@plantroom/contract/shown'

/** An error reply of the service, with a `message` for people and a `code` for programs. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly reqId: string | undefined
  readonly field: string | undefined

  constructor(status: number, body: { message?: string; code?: string; reqId?: string; field?: string }) {
    super(body.message ?? `the service answered ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = body.code ?? 'UNKNOWN'
    this.reqId = body.reqId
    this.field = body.field
  }
}

/** No reply arrived: nothing is known about what the service did. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Sends a request and returns the parsed reply. Rejects with an `ApiError`, or with an `UnreachableError` if no reply arrived. */
export type Send = <Reply>(method: Method, path: string, body?: object) => Promise<Reply>

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Creates a `Send`. A `fetchReply` of the caller sees every request and reply. */
export function createSend(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  fetchReply: Fetch = fetch,
): Send {
  return async <Reply>(method: Method, path: string, body?: object) => {
    const request = {
      method,
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body && { body: JSON.stringify(body) }),
    }
    const response = await reach(baseUrl, path, request, fetchReply)
    const text = await response.text().catch((error) => throwUnreachable(baseUrl, error))
    const reply: unknown = text === '' ? undefined : parse(text)
    if (!response.ok) throw new ApiError(response.status, reply instanceof Error ? reply : ((reply ?? {}) as object))
    if (reply instanceof Error) throw reply
    return reply as Reply
  }
}

/** Creates a `Send` that authenticates with the admin token. */
export function sendWithToken(baseUrl: string, adminToken: string): Send {
  return createSend(baseUrl, { authorization: `Bearer ${adminToken}` })
}

/** Creates a `Send` that authenticates with an API key. */
export function sendWithKey(baseUrl: string, apiKey: string): Send {
  return createSend(baseUrl, { 'x-api-key': apiKey })
}

type Parameter = string | number | undefined

/** Formats the query of a path. Leaves out undefined parameters and repeats the name for each item of a list. */
export function queryOf(parameters: Readonly<Record<string, Parameter | readonly Parameter[]>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value].flat()) if (each !== undefined) query.append(name, String(each))
  }
  return query.size === 0 ? '' : `?${query}`
}

/** Sends a request and returns as soon as the reply begins. Rejects with an `UnreachableError` if none arrives. */
export function reach(baseUrl: string, path: string, init: RequestInit, fetchReply: Fetch = fetch): Promise<Response> {
  return fetchReply(`${baseUrl}${path}`, init).catch((error) => throwUnreachable(baseUrl, error))
}

function throwUnreachable(baseUrl: string, error: unknown): never {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const reason = cause?.code ?? cause?.message ?? String(error)
  throw new UnreachableError(`${baseUrl} cannot be reached (${reason}): is Plantroom running there?`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return new Error(`the answer is not JSON: ${shown(text)}`)
  }
}
