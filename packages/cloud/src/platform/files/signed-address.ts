import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { keptSecret } from '@plantroom/base/kept-secret'
import { Failure } from '@plantroom/contract/failure'
import type { PartGrant } from './disk-parts.ts'
import type { FileKey } from './keys.ts'

const SECRET_BYTES = 32

/**
 * Loads the secret that signs file addresses, creating it in the data folder if needed. All processes of a folder share it.
 * Removing it invalidates every address.
 */
export async function loadSigningSecret(folder: string): Promise<Buffer> {
  const path = join(folder, 'files-secret')
  const secret = Buffer.from(await keptSecret(path, () => randomBytes(SECRET_BYTES).toString('hex')), 'hex')
  if (secret.length !== SECRET_BYTES) throw new Error(`${path} is damaged: remove it to create a new secret`)
  return secret
}

/** What an address allows. Every part is signed. */
export interface Grant {
  method: 'PUT' | 'GET'
  key: FileKey
  /** In seconds since 1970. */
  expires: number
  /** Name and type in the headers of a download. */
  filename?: string
  contentType?: string
  /** The part of an upload; without it, a PUT replaces the whole file. */
  part?: PartGrant
}

/** Returns the signed query of an address. */
export function signGrant(secret: Buffer, grant: Grant): string {
  const query = new URLSearchParams({ expires: String(grant.expires) })
  if (grant.filename !== undefined) query.set('filename', grant.filename)
  if (grant.contentType !== undefined) query.set('type', grant.contentType)
  if (grant.part !== undefined) {
    query.set('size', String(grant.part.size))
    query.set('sha256', grant.part.sha256)
  }
  query.set('signature', signature(secret, grant).toString('base64url'))
  return query.toString()
}

/** Verifies the query of an address. Throws `forbidden` when the signature is wrong or the address has expired. */
export function readGrant(
  secret: Buffer,
  request: {
    method: Grant['method']
    key: FileKey | undefined
    query: Readonly<Record<string, unknown>>
    /** From the path, when it names a part. */
    part?: Pick<PartGrant, 'storeId' | 'number'>
  },
  nowMs: number,
): Grant {
  const { method, key, query } = request
  const { expires, filename, type, size, sha256, signature: sent } = query
  if (key === undefined || typeof sent !== 'string' || typeof expires !== 'string' || !/^\d{1,12}$/.test(expires)) {
    throw notSigned()
  }
  const grant: Grant = { method, key, expires: Number(expires) }
  if (typeof filename === 'string') grant.filename = filename
  if (typeof type === 'string') grant.contentType = type
  if (request.part) grant.part = { ...request.part, size: Number(size), sha256: String(sha256) }
  const expected = signature(secret, grant)
  const given = Buffer.from(sent, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notSigned()
  if (nowMs >= grant.expires * 1000) {
    const at = new Date(grant.expires * 1000).toISOString()
    throw new Failure('forbidden', `this address expired at ${at}: request a new one`)
  }
  return grant
}

const notSigned = () => new Failure('forbidden', 'this address has no valid signature: request a new one')

function signature(secret: Buffer, { method, key, expires, filename, contentType, part }: Grant): Buffer {
  // JSON keeps the fields apart.
  const ofPart = part ? [part.storeId, part.number, part.size, part.sha256] : []
  const text = JSON.stringify([method, key, expires, filename ?? null, contentType ?? null, ...ofPart])
  return createHmac('sha256', secret).update(text).digest()
}
