import { createHash, randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 20

/** A new opaque id such as `dev_4k2…`: 100 random bits, safe in a URL and in a topic level. */
export function newId(prefix: string): string {
  return `${prefix}_${encode(randomBytes(LENGTH))}`
}

/** The same id for the same parts, always: what is matched by name keeps its id without a look-up. */
export function derivedId(prefix: string, ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
  return `${prefix}_${encode(digest.subarray(0, LENGTH))}`
}

function encode(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += ALPHABET[byte & 31]
  return text
}
