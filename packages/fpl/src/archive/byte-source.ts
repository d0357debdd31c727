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
