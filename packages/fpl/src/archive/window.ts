import type { ByteSource } from './byte-source.ts'

/** The part of a source that was read last, so that headers side by side cost one read. */
export interface Window {
  /** Valid until the next call of `at`. */
  readonly bytes: Buffer
  /** Where in `bytes` the byte of this position stands, with `length` bytes from there on. A new read takes `ahead` along. */
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
        // Empty while it is read: a read that throws must leave nothing half new, half old.
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
