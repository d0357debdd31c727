import type { ByteSource } from './byte-source.ts'

/** A cache of the last read of a source, so that adjacent headers cost one read. */
export interface Window {
  /** Valid until the next call of `at`. */
  readonly bytes: Buffer
  /**
   * Returns the index in `bytes` of this position, with at least `length` bytes available. A new read also fetches
   * `ahead` bytes.
   */
  at(position: number, length: number, ahead: number): number
}

// The longest header has three fields of 65,535 bytes.
const CAPACITY = 262_144

export function createWindow(source: ByteSource): Window {
  const bytes = Buffer.alloc(CAPACITY)
  let start = 0
  let filled = 0
  return {
    bytes,
    at(position, length, ahead) {
      if (position < start || position + length > start + filled) {
        // Clear it first: a read that throws must not leave a mix of old and new bytes.
        filled = 0
        const wanted = Math.max(length, Math.min(ahead, CAPACITY, source.size - position))
        source.read(bytes.subarray(0, wanted), position)
        start = position
        filled = wanted
      }
      return position - start
    },
  }
}
