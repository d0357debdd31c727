import type { OpenadrVersion } from '@plantroom/contract/openadr-profile'
import type { VtnAnswer } from './vtn-failure.ts'

/** How to reach a VTN. */
export interface VtnAccess {
  /** With any path, without a slash at the end: `withoutSlash` removes it. */
  readonly baseUrl: string
  readonly version: OpenadrVersion
  /** When missing: as the VTN says. */
  readonly tokenUrl?: string
  /** When missing: without tokens, for example to a public price server. */
  readonly clientId?: string
  readonly clientSecret?: string
  readonly scope?: string
  readonly audience?: string
  /** What else must not be shown when the VTN repeats it in an error, for example a part of the address that it calls. */
  readonly ownSecrets?: readonly string[]
}

export interface VtnRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined
}

export interface VtnDeps {
  /** Sends one request, follows no redirect, and bounds the bytes and the time of the answer. Rejects without an answer. */
  readonly send: (request: VtnRequest) => Promise<VtnAnswer>
  readonly now: () => number
}

/** A base URL as people enter it. */
export function withoutSlash(url: string): string {
  let end = url.length
  while (end > 0 && url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}
