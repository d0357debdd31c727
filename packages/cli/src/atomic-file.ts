import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'

/** A file that is written piece by piece and appears complete or not at all. */
export interface AtomicFile {
  write(data: string | Uint8Array): void
  /** Renames it into place and replaces an existing file. */
  commit(): void
  /** Removes it and leaves an existing file untouched. Does nothing after `commit`. */
  discard(): void
}

/** Opens a temporary file beside `path`. Throws now if the path is not writable, before the work starts. `mode` is its permissions before the umask. */
export function createAtomicFile(path: string, mode = 0o666): AtomicFile {
  const target = targetOf(path)
  const temporary = `${target}.${randomUUID()}`
  const file = openSync(temporary, 'wx', mode)
  let isOpen = true

  const close = () => {
    isOpen = false
    closeSync(file)
  }
  return {
    write(data) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    },
    commit() {
      fsyncSync(file)
      close()
      renameSync(temporary, target)
    },
    discard() {
      if (!isOpen) return
      close()
      rmSync(temporary, { force: true })
    },
  }
}

/** Resolves links, so that the link stays. Refuses to replace devices such as /dev/stdout by a file. */
function targetOf(path: string): string {
  const there = statSync(path, { throwIfNoEntry: false })
  if (!there) return path
  if (!there.isFile()) throw new Error(`${path} exists and is not a regular file`)
  return realpathSync(path)
}
