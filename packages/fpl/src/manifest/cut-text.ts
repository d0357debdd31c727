import type { GrowingBuffer } from './growing-buffer.ts'

/** The longest encoding of one character: two escaped surrogates. */
export const LONGEST_CHARACTER = 12

const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** `\\u` and four digits. */
const ESCAPE = 6

/** Shortens one text, whose source is at the end of the buffer, while more of it may arrive. */
export interface TextCut {
  /** Drops the bytes that are not needed. `isWhole` means that the text ends here. */
  settle(isWhole: boolean): void
}

/**
 * Keeps the first `limit` bytes of the text that starts at `start`, up to a character boundary. If those are blank, it
 * also keeps the first visible character. Of the remainder it keeps the first character that texts must not contain:
 * U+0000 or a lone surrogate. Unless the text is complete, the buffer must contain LONGEST_CHARACTER bytes past the
 * limit before the first `settle`; otherwise the character boundary is unknown.
 */
export function cutText(buffer: GrowingBuffer, start: number, limit: number): TextCut {
  let end: number | undefined
  let isBlank = true
  let isUnfit = false

  /** Keeps `bytes` permanently, and everything from `rest` for now: an incomplete character. */
  function keep(end: number, added: readonly Buffer[], rest: number): number {
    const partial = Buffer.from(buffer.bytes.subarray(rest, buffer.length))
    buffer.truncate(end)
    for (const bytes of added) buffer.append(bytes, 0, bytes.length)
    const kept = buffer.length
    buffer.append(partial, 0, partial.length)
    return kept
  }

  return {
    settle(isWhole) {
      if (end === undefined) {
        end = lastBoundary(buffer, start, start + limit, isWhole)
        isBlank = firstVisible(buffer, start, end) === undefined
      }
      const added: Buffer[] = []
      if (isBlank) {
        const boundary = lastBoundary(buffer, end, buffer.length, isWhole)
        const visible = firstVisible(buffer, end, boundary)
        if (!visible) {
          end = keep(end, added, boundary)
          return
        }
        isBlank = false
        isUnfit = isUnfitEscape(visible, 0, visible.length)
        added.push(visible)
      }
      if (isUnfit) {
        end = keep(end, added, buffer.length)
        return
      }
      const { unfit, rest } = firstUnfit(buffer, end, isWhole)
      if (unfit) {
        isUnfit = true
        added.push(unfit)
      }
      end = keep(end, added, rest)
    },
  }
}

/**
 * Finds the first forbidden character, which JSON can only express as an escape. `rest` is the start of an incomplete
 * one.
 */
function firstUnfit(buffer: GrowingBuffer, from: number, isWhole: boolean): { unfit?: Buffer; rest: number } {
  const { length } = buffer
  const bytes = buffer.bytes.subarray(0, length)
  let at = bytes.indexOf(BACKSLASH, from)
  while (at !== -1) {
    const next = at + characterLength(buffer, at, isWhole)
    if (next > length) return { rest: at }
    if (isUnfitEscape(bytes, at, next)) return { unfit: Buffer.from(bytes.subarray(at, next)), rest: length }
    at = bytes.indexOf(BACKSLASH, next)
  }
  return { rest: length }
}

function isUnfitEscape(bytes: Buffer, at: number, end: number): boolean {
  if (end - at !== ESCAPE) return false
  const unit = escapedUnit(bytes, at)
  return unit === 0 || isIn(unit, 0xd800, 0xdfff)
}

/** Returns the first character that is not white space, as JSON source. */
function firstVisible(buffer: GrowingBuffer, from: number, to: number): Buffer | undefined {
  const text: string = JSON.parse(`"${buffer.bytes.toString('utf8', from, to)}"`)
  const codePoint = text.trimStart().codePointAt(0)
  if (codePoint === undefined) return undefined
  return Buffer.from(JSON.stringify(String.fromCodePoint(codePoint)).slice(1, -1))
}

/** Returns the last character boundary up to `limit`. */
function lastBoundary(buffer: GrowingBuffer, from: number, limit: number, isWhole: boolean): number {
  let at = from
  while (at < limit) {
    const next = at + characterLength(buffer, at, isWhole)
    if (next > limit) break
    at = next
  }
  return at
}

function characterLength({ bytes, length }: GrowingBuffer, at: number, isWhole: boolean): number {
  const first = bytes[at] as number
  if (first === BACKSLASH) {
    if (at + 1 >= length || bytes[at + 1] !== LETTER_U) return 2
    if (!isIn(escapedUnit(bytes, at), 0xd800, 0xdbff)) return ESCAPE
    if (at + LONGEST_CHARACTER <= length) {
      return isIn(escapedUnit(bytes, at + ESCAPE), 0xdc00, 0xdfff) ? LONGEST_CHARACTER : ESCAPE
    }
    return isWhole ? ESCAPE : LONGEST_CHARACTER
  }
  if (first < 0x80) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

/** Returns the code unit of the `\\u` escape at `at`, or a negative number if there is none. */
function escapedUnit(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return -1
  let unit = 0
  for (let place = at + 2; place < at + ESCAPE; place += 1) unit = (unit << 4) | hexDigit(bytes[place] as number)
  return unit
}

/** The low four bits of a digit are its value; those of a letter are its value minus nine. */
function hexDigit(byte: number): number {
  return byte > 0x39 ? (byte & 0xf) + 9 : byte & 0xf
}

function isIn(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last
}
