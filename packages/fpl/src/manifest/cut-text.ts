import type { Carry } from './carry.ts'

/** The longest way to write one character: two escaped surrogates. */
export const LONGEST_CHARACTER = 12

const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** `\\u` and four digits. */
const ESCAPE = 6

/** Shortens one text, whose source ends the carry, while more of it may come. */
export interface TextCut {
  /** Drops what need not be kept of the bytes that came. `isWhole`: the text ends here. */
  settle(isWhole: boolean): void
}

/**
 * Keeps the first `limit` bytes of the text that starts at `start`, less the part of a character at their end. Where those are
 * blank, the first character that is not is kept too, and of what follows the first character that no text should have: U+0000
 * or half a pair. Until the text is whole, LONGEST_CHARACTER bytes past the limit must be there before the first `settle`: or it
 * could not be seen where a character ends.
 */
export function cutText(carry: Carry, start: number, limit: number): TextCut {
  let end: number | undefined
  let isBlank = true
  let isUnfit = false

  /** Keeps these bytes for good, and for now those from `rest` on: a character that has come in part only. */
  function keep(end: number, added: readonly Buffer[], rest: number): number {
    const partial = Buffer.from(carry.bytes.subarray(rest, carry.length))
    carry.truncate(end)
    for (const bytes of added) carry.append(bytes, 0, bytes.length)
    const kept = carry.length
    carry.append(partial, 0, partial.length)
    return kept
  }

  return {
    settle(isWhole) {
      if (end === undefined) {
        end = lastBoundary(carry, start, start + limit, isWhole)
        isBlank = firstVisible(carry, start, end) === undefined
      }
      const added: Buffer[] = []
      if (isBlank) {
        const boundary = lastBoundary(carry, end, carry.length, isWhole)
        const visible = firstVisible(carry, end, boundary)
        if (!visible) {
          end = keep(end, added, boundary)
          return
        }
        isBlank = false
        isUnfit = isUnfitEscape(visible, 0, visible.length)
        added.push(visible)
      }
      if (isUnfit) {
        end = keep(end, added, carry.length)
        return
      }
      const { unfit, rest } = firstUnfit(carry, end, isWhole)
      if (unfit) {
        isUnfit = true
        added.push(unfit)
      }
      end = keep(end, added, rest)
    },
  }
}

/** Characters that no text should have can only be written as escapes. `rest` is where one begins that has not come whole. */
function firstUnfit(carry: Carry, from: number, isWhole: boolean): { unfit?: Buffer; rest: number } {
  const { length } = carry
  const bytes = carry.bytes.subarray(0, length)
  let at = bytes.indexOf(BACKSLASH, from)
  while (at !== -1) {
    const next = at + characterLength(carry, at, isWhole)
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

/** The first character that is no white space, as a text of JSON would have it. */
function firstVisible(carry: Carry, from: number, to: number): Buffer | undefined {
  const text: string = JSON.parse(`"${carry.bytes.toString('utf8', from, to)}"`)
  const codePoint = text.trimStart().codePointAt(0)
  if (codePoint === undefined) return undefined
  return Buffer.from(JSON.stringify(String.fromCodePoint(codePoint)).slice(1, -1))
}

/** The last place up to `limit` where a character ends. */
function lastBoundary(carry: Carry, from: number, limit: number, isWhole: boolean): number {
  let at = from
  while (at < limit) {
    const next = at + characterLength(carry, at, isWhole)
    if (next > limit) break
    at = next
  }
  return at
}

function characterLength({ bytes, length }: Carry, at: number, isWhole: boolean): number {
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

/** The number of the escape at `at`; below zero where there is none by number. */
function escapedUnit(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return -1
  let unit = 0
  for (let place = at + 2; place < at + ESCAPE; place += 1) unit = (unit << 4) | hexDigit(bytes[place] as number)
  return unit
}

/** The last four bits of a digit are its value, those of a letter are nine less than it. */
function hexDigit(byte: number): number {
  return byte > 0x39 ? (byte & 0xf) + 9 : byte & 0xf
}

function isIn(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last
}
