import { entryRefused } from '../refusal.ts'

const LONGEST_NAME = 0xffff
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const anyUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const utf8 = new TextEncoder()
// One shared buffer: names are compared one at a time, and allocating for 100,000 of them would create garbage.
const encoded = Buffer.alloc(LONGEST_NAME)
const SLASH = 0x2f
const BACKSLASH = 0x5c
const DOT = 0x2e

/** Decodes a name. Anything but UTF-8 is rejected: guessing an old code page is unsafe. */
export function decodeName(bytes: Buffer, from: number, to: number, index: number): string {
  if (isAscii(bytes, from, to)) return bytes.toString('latin1', from, to)
  const name = bytes.subarray(from, to)
  try {
    return strictUtf8.decode(name)
  } catch {
    throw entryRefused(index, anyUtf8.decode(name), 'the name is not valid UTF-8')
  }
}

/** Returns the rule that this name breaks, or null. A trailing slash marks a folder. */
export function brokenNameRule(path: string): string | null {
  if (path === '') return 'the name is empty'
  if (path.charCodeAt(0) === SLASH) return 'the name is an absolute path'
  if (path.charCodeAt(1) === 0x3a && isLetter(path.charCodeAt(0))) return 'the name starts with a drive letter'
  let segmentStart = 0
  for (let at = 0; at < path.length; at += 1) {
    const unit = path.charCodeAt(at)
    if (unit === SLASH) {
      const rule = brokenSegmentRule(path, segmentStart, at)
      if (rule) return rule
      segmentStart = at + 1
    } else if (unit === BACKSLASH) return 'the name has a backslash'
    else if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return 'the name has a control character'
  }
  if (hasTooManyMarks(path)) return 'the name has more than 30 combining marks in a row'
  return segmentStart === path.length ? null : brokenSegmentRule(path, segmentStart, path.length)
}

/** True if the bytes from `from` up to `to` are the UTF-8 encoding of `path`. */
export function isNameOf(path: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from === path.length) {
    let at = 0
    while (at < path.length && bytes[from + at] === path.charCodeAt(at) && path.charCodeAt(at) < 0x80) at += 1
    if (at === path.length) return true
  }
  const { written } = utf8.encodeInto(path, encoded)
  return written === to - from && encoded.compare(bytes, from, to, 0, written) === 0
}

function brokenSegmentRule(path: string, from: number, to: number): string | null {
  if (from === to) return 'the name has an empty segment'
  if (path.charCodeAt(from) !== DOT) return null
  if (to - from === 1) return 'the name has a . segment'
  return to - from === 2 && path.charCodeAt(from + 1) === DOT ? 'the name has a .. segment' : null
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if ((bytes[at] as number) >= 0x80) return false
  return true
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII
const NOT_ASCII = /[^\u0000-\u007f]/gu
// Unicode's stream-safe text format allows at most 30.
const MANY_MARKS = /\p{M}{31}/u

/** True if composing this text would take quadratic time, because a long sequence of marks is sorted one by one. */
export function hasTooManyMarks(path: string): boolean {
  return !ASCII.test(path) && MANY_MARKS.test(path)
}

/** Returns the path in the normalization form used for comparison. */
export function composed(path: string): string {
  return ASCII.test(path) ? path : path.normalize('NFC')
}

/**
 * Returns a key that is equal for paths that some file system treats as one: after NFC and ignoring case. Not for
 * display.
 */
export function pathKey(path: string): string {
  if (ASCII.test(path)) return path.toLowerCase()
  const folded = path.normalize('NFC').replace(NOT_ASCII, foldCharacter).toLowerCase().normalize('NFC')
  // One wide character makes every character of a string take two bytes; in UTF-8 only that one does.
  return Buffer.from(folded).toString('latin1')
}

/**
 * Folds case through upper case, so that ſ equals s and ς equals σ, but only if the result is one character: Maße and
 * Masse stay different. ı is not folded to i, which only shares its upper case.
 */
function foldCharacter(character: string): string {
  const upper = character.toUpperCase()
  return (upper.length === character.length && character !== 'ı' ? upper : character).toLowerCase()
}
