import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TOKEN_LENGTH = 43
const TOKEN = new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`)

/** A fast hash is enough: the secret is random and long, so no dictionary contains it. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Compares in constant time. */
export function secretMatches(secret: string, expected: Buffer): boolean {
  const sent = hashSecret(secret)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

/** Random letters and digits, about 5.95 bits each. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte. Bytes above it would favor the first letters.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
    }
  }
  return text
}

/** A token with 256 random bits, for sessions and links. */
export const makeToken = (): string => randomText(TOKEN_LENGTH)

/** True when a text has the form of a token. Anything else is rejected without a database lookup. */
export const isToken = (text: string): boolean => TOKEN.test(text)
