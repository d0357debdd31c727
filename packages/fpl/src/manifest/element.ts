import { createCarry } from './carry.ts'
import { cutText, LONGEST_CHARACTER, type TextCut } from './cut-text.ts'

/**
 * Gathers the source of one element from the chunks that it comes in. Places are indexes into the chunk that was entered last.
 * An element within one chunk is read where it is, without a copy.
 */
export interface Element {
  enter(chunk: Buffer): void
  /** The chunk's bytes become invalid: what the element needs of them is copied. */
  leave(): void
  begin(at: number): void
  /** `at`: of the opening quote. */
  beginText(at: number): void
  /** `at`: of the closing quote. */
  endText(at: number): void
  /** Something in it is not ASCII. */
  foundNonAscii(): void
  /** Its bytes before `at`, of a long text those that are kept. Depends on the bytes alone, not on how they were cut into chunks. */
  size(at: number): number
  /** The source: it ended before `at`. */
  finish(at: number): string
}

/** Texts of more bytes than `cutTextsOver` are shortened as `cutText` says. */
export function createElement(cutTextsOver: number): Element {
  const carry = createCarry()
  let chunk: Buffer = Buffer.alloc(0)
  let isOpen = false
  let isAscii = true
  /** The first byte that is not yet in the carry. */
  let from = 0
  /** Where element and text start: below zero when that was in an earlier chunk. */
  let start = 0
  let textStart = 0
  let isInText = false
  let cut: TextCut | undefined
  let dropped = 0

  function carryUpTo(at: number) {
    carry.append(chunk, from, at)
    from = at
  }

  function settleText(at: number, isWhole: boolean) {
    // What is kept instead of the end of a text may be no ASCII even where its escapes were.
    isAscii = false
    cut ??= cutText(carry, carry.length - (at - textStart), cutTextsOver)
    cut.settle(isWhole)
  }

  return {
    enter(next) {
      chunk = next
      from = 0
    },
    leave() {
      if (!isOpen) return
      const end = chunk.length
      carryUpTo(end)
      if (isInText && end - textStart > cutTextsOver + LONGEST_CHARACTER) settleText(end, false)
      start -= end
      textStart -= end
    },
    begin(at) {
      isOpen = true
      isAscii = true
      isInText = false
      from = at
      start = at
      dropped = 0
    },
    beginText(at) {
      textStart = at + 1
      isInText = true
    },
    endText(at) {
      isInText = false
      const over = at - textStart - cutTextsOver
      if (over <= 0) return
      carryUpTo(at)
      settleText(at, true)
      cut = undefined
      dropped += over
    },
    foundNonAscii() {
      isAscii = false
    },
    size(at) {
      return at - start - dropped - (isInText ? Math.max(0, at - textStart - cutTextsOver) : 0)
    },
    finish(at) {
      isOpen = false
      const encoding = isAscii ? 'latin1' : 'utf8'
      if (carry.length === 0) return chunk.toString(encoding, from, at)
      carryUpTo(at)
      const source = carry.bytes.toString(encoding, 0, carry.length)
      carry.clear()
      return source
    },
  }
}
