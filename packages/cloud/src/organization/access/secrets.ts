import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { keptSecret } from '@plantroom/base/kept-secret'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TOKEN_LENGTH = 43
const TOKEN = /^[0-9A-Za-z]{43}$/
const KEY_ID_LENGTH = 12
const KEY_SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const API_KEY = /^plr_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

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

interface NewApiKey {
  id: string
  /** Shown once, never stored. */
  text: string
  hash: Buffer
}

/**
 * `plr_<id>_<secret><checksum>`: an id to look up, 190 secret bits, and a checksum that catches a bad paste. With an id,
 * a new secret for that key.
 */
export function makeApiKey(id = randomText(KEY_ID_LENGTH)): NewApiKey {
  const body = `plr_${id}_${randomText(KEY_SECRET_LENGTH)}`
  const text = body + checksum(body)
  return { id, text, hash: hashSecret(text) }
}

/** The id in a well-formed key; `undefined` for any other text, which needs no lookup. */
export function apiKeyId(text: string): string | undefined {
  const id = API_KEY.exec(text)?.[1]
  return id !== undefined && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH) ? id : undefined
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The operator's token: the configured one, or the one stored in the data folder. */
export async function loadAdminToken(folder: string, configured: string | undefined): Promise<string> {
  return configured ?? keptSecret(join(folder, 'admin-token'), () => `pla_${randomText(40)}`)
}

/** The token of the first setup. Anyone who can read the log or the data folder has it. */
export interface SetupToken {
  /** Creates the token if there is none. */
  load(): Promise<string>
  /** Deletes the token once setup is complete. */
  forget(): Promise<void>
}

export function createSetupToken(folder: string): SetupToken {
  const path = join(folder, 'setup-token')
  return {
    load: () => keptSecret(path, makeToken),
    forget: () => rm(path, { force: true }),
  }
}
