import { cutText, LONGEST_CHARACTER, type TextCut } from './cut-text.ts'
import { createGrowingBuffer } from './growing-buffer.ts'

/**
 * Collects the source of one element from the chunks it spans. Positions are indexes into the current chunk. An element
 * within one chunk is read in place, without a copy.
 */
export interface Element {
  enter(chunk: Buffer): void
  /** Copies the bytes that the element needs before the chunk becomes invalid. */
  leave(): void
  begin(at: number): void
  /** `at` is the position of the opening quote. */
  beginText(at: number): void
  /** `at` is the position of the closing quote. */
  endText(at: number): void
  /** Records that the element is not pure ASCII. */
  foundNonAscii(): void
  /**
   * Returns the number of bytes before `at`, counting only the kept part of long texts. Independent of how the bytes
   * were split into chunks.
   */
  size(at: number): number
  /** Returns the source, which ends before `at`. */
  finish(at: number): string
  /** Passes the bytes of the source, which ends before `at`, to `use`. They are valid only during that call. */
  lend(at: number, use: (source: Buffer) => void): void
}

/** Creates an element that shortens texts of more than `cutTextsOver` bytes with `cutText`. */
export function createElement(cutTextsOver: number): Element {
  const buffer = createGrowingBuffer()
  let chunk: Buffer = Buffer.alloc(0)
  let isOpen = false
  let isAscii = true
  /** The first byte that is not in the buffer yet. */
  let from = 0
  /** Start of the element and of the text; negative if in an earlier chunk. */
  let start = 0
  let textStart = 0
  let isInText = false
  let cut: TextCut | undefined
  let dropped = 0

  function carryUpTo(at: number) {
    buffer.append(chunk, from, at)
    from = at
  }

  function settleText(at: number, isWhole: boolean) {
    // The characters kept from the end of a text may be non-ASCII even if the source used escapes.
    isAscii = false
    cut ??= cutText(buffer, buffer.length - (at - textStart), cutTextsOver)
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
      if (buffer.length === 0) return chunk.toString(encoding, from, at)
      carryUpTo(at)
      const source = buffer.bytes.toString(encoding, 0, buffer.length)
      buffer.clear()
      return source
    },
    lend(at, use) {
      isOpen = false
      carryUpTo(at)
      try {
        use(buffer.bytes.subarray(0, buffer.length))
      } finally {
        buffer.clear()
      }
    },
  }
}
