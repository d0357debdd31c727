import { crc32 } from 'node:zlib'
import { ALPHABET, hashSecret, randomText } from '../secrets.ts'

const ID_LENGTH = 12
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(
  `^plr_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
)

export interface NewApiKey {
  id: string
  /** Shown once, never stored. */
  text: string
  hash: Buffer
}

/** `plr_<id>_<secret><checksum>`: an id to look up, 190 secret bits, and a checksum that catches a bad paste. */
export function makeApiKey(): NewApiKey {
  const id = randomText(ID_LENGTH)
  const body = `plr_${id}_${randomText(SECRET_LENGTH)}`
  const text = body + checksum(body)
  return { id, text, hash: hashSecret(text) }
}

/** The id in a well-formed key; `undefined` for any other text, which needs no lookup. */
export function apiKeyId(text: string): string | undefined {
  const id = FORM.exec(text)?.[1]
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
