const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const FIRST_PRINTABLE = 0x20

const PLAIN = 1
const STRING = 2
const OPEN = 3
const CLOSE = 4
/** What a byte outside of strings is. All that JSON has no use for there is 0. */
const KINDS = kindsOf([PLAIN, '0123456789+-.eEtrufalsn:, \t\r\n'], [STRING, '"'], [OPEN, '{['], [CLOSE, '}]'])

/**
 * Reports whether bytes are an object that no reader of JSON can leave early: put into a text, they change nothing
 * around them. Whether a reader accepts what is inside is not checked, because that costs as much as parsing it.
 */
export function isBalancedObject(bytes: Uint8Array): boolean {
  const { length } = bytes
  if (bytes[0] !== OPEN_OBJECT || bytes[length - 1] !== CLOSE_OBJECT) return false
  let depth = 0
  let at = 0
  while (at < length) {
    const kind = KINDS[bytes[at] ?? 0]
    at += 1
    if (kind === PLAIN) continue
    if (kind === STRING) {
      at = endOfString(bytes, at)
      if (at < 0) return false
    } else if (kind === OPEN) depth += 1
    else if (kind === CLOSE) {
      depth -= 1
      if (depth === 0) return at === length
    } else return false
  }
  return false
}

/** Returns the position after the closing quote; -1 when there is none, or a character that a string must not contain. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    at += 1
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at += 1
    else if (byte < FIRST_PRINTABLE) return -1
  }
  return -1
}

function kindsOf(...kinds: readonly (readonly [kind: number, characters: string])[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const [kind, characters] of kinds) for (const byte of Buffer.from(characters)) table[byte] = kind
  return table
}
