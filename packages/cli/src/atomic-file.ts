import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'

/** A file that is written bit by bit and is there as a whole, or not at all. */
export interface AtomicFile {
  write(data: string | Uint8Array): void
  /** Puts it in its place, over one that is there. */
  commit(): void
  /** Leaves everything as it was. Does nothing after `commit`. */
  discard(): void
}

/** Throws where it could not be written: before the work whose result it is to hold. */
export function createAtomicFile(path: string): AtomicFile {
  const target = targetOf(path)
  const temporary = `${target}.${randomUUID()}`
  const file = openSync(temporary, 'wx')
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

/** The file behind a link: the link stays. What is no file, such as /dev/stdout, must not be replaced by one. */
function targetOf(path: string): string {
  const there = statSync(path, { throwIfNoEntry: false })
  if (!there) return path
  if (!there.isFile()) throw new Error(`${path} is there and not a file`)
  return realpathSync(path)
}
