import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'

/** Writes a file of bytes that do not compress. */
export function writeBytes(path: string, bytes: number): void {
  const chunk = randomFillSync(Buffer.alloc(4e6))
  const file = openSync(path, 'w')
  for (let written = 0; written < bytes; ) written += writeSync(file, chunk, 0, Math.min(chunk.length, bytes - written))
  closeSync(file)
}
