import { createHash, randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 20

// Request random bytes for many ids at a time: the system call costs as much as the rest.
const POOL_BYTES = 200 * LENGTH
let pool = Buffer.alloc(0)

/** Returns a new opaque id like `dev_4k2…`: 100 random bits, safe in a URL and in a topic level. */
export function newId(prefix: string): string {
  if (pool.length === 0) pool = randomBytes(POOL_BYTES)
  const bytes = pool.subarray(0, LENGTH)
  pool = pool.subarray(LENGTH)
  return `${prefix}_${encode(bytes)}`
}

/** Returns the same id for the same parts, so that things matched by name keep their id without a lookup. */
export function derivedId(prefix: string, ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
  return `${prefix}_${encode(digest.subarray(0, LENGTH))}`
}

function encode(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += ALPHABET[byte & 31]
  return text
}
