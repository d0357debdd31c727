import { LIMITS } from '../limits.ts'

/** A buffer for bytes that outlive their chunk. */
export interface GrowingBuffer {
  /** The buffer; its first `length` bytes are valid. `append` replaces it when it needs room. */
  readonly bytes: Buffer
  readonly length: number
  append(chunk: Buffer, from: number, to: number): void
  /** Keeps the first `length` bytes and drops the rest. */
  truncate(length: number): void
  clear(): void
}

const FIRST_CAPACITY = 4096
// One huge ticket should not keep its memory until the end of the manifest.
const LARGEST_KEPT = 1 << 20

/**
 * Creates a buffer that doubles in size: each byte of an element is copied about twice, however many chunks it spans. It
 * never reserves more than a whole manifest needs.
 */
export function createGrowingBuffer(allocate: (size: number) => Buffer = Buffer.allocUnsafeSlow): GrowingBuffer {
  const none = Buffer.alloc(0)
  let bytes: Buffer = none
  let length = 0

  return {
    get bytes() {
      return bytes
    },
    get length() {
      return length
    },
    append(chunk, from, to) {
      const needed = length + to - from
      if (needed > bytes.length) {
        const larger = allocate(Math.max(needed, Math.min(2 * bytes.length, LIMITS.fileBytes), FIRST_CAPACITY))
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      chunk.copy(bytes, length, from, to)
      length = needed
    },
    truncate(shorter) {
      length = shorter
    },
    clear() {
      length = 0
      if (bytes.length > LARGEST_KEPT) bytes = none
    },
  }
}
