import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { archiveRefused } from '../refusal.ts'

/** Bytes with random access. Reading is synchronous, because a check runs in its own process. */
export interface ByteSource {
  readonly size: number
  /** Fills `target` from `position`. Throws `PackageRefused` if the bytes end before that. */
  read(target: Uint8Array, position: number): void
}

export interface FileSource extends ByteSource {
  close(): void
}

/** Opens a file. Throws the system error if that fails. */
export function openFileSource(path: string): FileSource {
  const file = openSync(path, 'r')
  const { size } = fstatSync(file)
  return {
    size,
    read(target, position) {
      let filled = 0
      while (filled < target.length) {
        const count = readSync(file, target, filled, target.length - filled, position + filled)
        if (count === 0) throw archiveRefused('the file became shorter while it was read')
        filled += count
      }
    },
    close: () => closeSync(file),
  }
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read(target, position) {
      if (position + target.length > bytes.length) throw archiveRefused('the file became shorter while it was read')
      target.set(bytes.subarray(position, position + target.length))
    },
  }
}

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

export function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
}

export function uint32(bytes: Uint8Array, at: number): number {
  return (uint16(bytes, at) | (uint16(bytes, at + 2) << 16)) >>> 0
}

/** Inexact above 2^53, but still larger than any file, so the comparison with the real size fails as it should. */
export function uint64(bytes: Uint8Array, at: number): number {
  return uint32(bytes, at) + uint32(bytes, at + 4) * 2 ** 32
}
