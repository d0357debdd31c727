import { randomBytes } from 'node:crypto'
import { hashSecret } from '../secrets.ts'

const CODES = 10
/** Without I, L, O and U, which are easily misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16

/** New recovery codes with 80 random bits each, in groups of four. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    // 256 is a multiple of 32, so every letter is equally likely.
    const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % 32]).join('')
    return (letters.match(/.{4}/g) ?? []).join('-')
  })
}

/** The stored form of a code. A fast hash is enough for 80 random bits. */
export function hashRecoveryCode(userId: string, typed: string): Buffer {
  const code = typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
  return hashSecret(JSON.stringify(['recovery', userId, code]))
}
