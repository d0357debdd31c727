/** Bytes that are kept from one chunk to the next. */
export interface Carry {
  /** The bytes themselves are the first `length` of these. A new array after each `append` that needed room. */
  readonly bytes: Buffer
  readonly length: number
  append(chunk: Buffer, from: number, to: number): void
  /** Keeps the first `length` bytes. */
  truncate(length: number): void
  clear(): void
}

const FIRST_CAPACITY = 4096
// One huge ticket is no reason to hold its room until the last one.
const LARGEST_KEPT = 1 << 20

/** Room doubles: however many chunks one element comes in, each of its bytes is copied about twice. */
export function createCarry(allocate: (size: number) => Buffer = Buffer.allocUnsafeSlow): Carry {
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
        const larger = allocate(Math.max(needed, 2 * bytes.length, FIRST_CAPACITY))
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
