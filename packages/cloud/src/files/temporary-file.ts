import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { explainWrite } from './file-store.ts'

export interface TemporaryFile {
  write(chunk: Uint8Array): void
  size(): number
  /** Closes the file and returns its path. */
  close(): string
  discard(): void
}

/** Opens a new file for synchronous writes. A failed write removes it. */
export function openTemporaryFile(path: string): TemporaryFile {
  let file: number | undefined
  let size = 0
  const close = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
    return path
  }
  const discard = () => {
    close()
    rmSync(path, { force: true })
  }
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    throw explainWrite(error)
  }
  return {
    write(chunk) {
      if (file === undefined) throw new Error('cannot write to a closed file')
      try {
        // A nearly full disk writes a part and fails at the next call.
        for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done, chunk.length - done)
        size += chunk.length
      } catch (error) {
        discard()
        throw explainWrite(error)
      }
    },
    size: () => size,
    close,
    discard,
  }
}
