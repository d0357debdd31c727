import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { explainWrite } from './file-store.ts'

export interface TemporaryFile {
  write(chunk: Uint8Array): void
  size(): number
  /** Ends the writing; returns the path. */
  close(): string
  discard(): void
}

/** A new file that is written at once, call by call. When that fails nothing is left of it. */
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
      if (file === undefined) throw new Error('nothing can be added to a file that is finished')
      try {
        // A disk that is nearly full takes a part, and says so at the next call.
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
