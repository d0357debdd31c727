import { createHmac, timingSafeEqual } from 'node:crypto'
import { Failure } from '@plantroom/contract/failure'
import type { FileKey } from './keys.ts'

/** What an address allows: all of it is signed, so none of it can be changed. */
export interface Grant {
  method: 'PUT' | 'GET'
  key: FileKey
  /** In seconds since 1970. */
  expires: number
  /** What a download is answered with. */
  filename?: string
  contentType?: string
}

/** The query of an address that allows just this. */
export function signGrant(secret: Buffer, grant: Grant): string {
  const query = new URLSearchParams({ expires: String(grant.expires) })
  if (grant.filename !== undefined) query.set('filename', grant.filename)
  if (grant.contentType !== undefined) query.set('type', grant.contentType)
  query.set('signature', signature(secret, grant).toString('base64url'))
  return query.toString()
}

/** Reads what an address allows; throws `forbidden` for one that we did not sign, and for one that has expired. */
export function readGrant(
  secret: Buffer,
  request: { method: Grant['method']; key: FileKey | undefined; query: Readonly<Record<string, unknown>> },
  nowMs: number,
): Grant {
  const { method, key, query } = request
  const { expires, filename, type, signature: sent } = query
  if (key === undefined || typeof sent !== 'string' || typeof expires !== 'string' || !/^\d{1,12}$/.test(expires)) {
    throw notSigned()
  }
  const grant: Grant = { method, key, expires: Number(expires) }
  if (typeof filename === 'string') grant.filename = filename
  if (typeof type === 'string') grant.contentType = type
  const expected = signature(secret, grant)
  const claimed = Buffer.from(sent, 'base64url')
  if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) throw notSigned()
  if (nowMs >= grant.expires * 1000) {
    const at = new Date(grant.expires * 1000).toISOString()
    throw new Failure('forbidden', `this address was good until ${at}: ask for a new one`)
  }
  return grant
}

const notSigned = () =>
  new Failure('forbidden', 'this address was not made by this service, or was changed: ask for one')

function signature(secret: Buffer, { method, key, expires, filename, contentType }: Grant): Buffer {
  // As JSON, so that no part can run into the next.
  const text = JSON.stringify([method, key, expires, filename ?? null, contentType ?? null])
  return createHmac('sha256', secret).update(text).digest()
}
