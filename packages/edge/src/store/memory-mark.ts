import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'journal.mark'
/** A mark is written in place, in one piece. */
const BYTES = 80

/** Which journal there was, and how far it had come. */
export interface Mark {
  id: string
  count: number
}

/**
 * A small file beside the journal. SQLite opens a journal whose end was cut off as if nothing were missing; the mark says
 * that it had come further. It is written after the journal and not flushed, so it is never ahead of a whole journal.
 */
export interface MarkFile {
  /** Never throws: the journal is what counts. */
  write(mark: Mark): void
  close(): void
}

/** Returns the mark; `undefined` when there is none, or it cannot be read. */
export function readMark(folder: string): Mark | undefined {
  try {
    const [, id, count] = /^(\S+) (\d+) *\n$/.exec(readFileSync(join(folder, NAME), 'latin1')) ?? []
    return id !== undefined && Number.isSafeInteger(Number(count)) ? { id, count: Number(count) } : undefined
  } catch {
    return undefined
  }
}

export function openMark(folder: string): MarkFile {
  let file: number | undefined
  try {
    // Not truncated: what it says holds until the first mark of this process.
    file = openSync(join(folder, NAME), 0o102 /* O_RDWR | O_CREAT */, 0o600)
  } catch {}
  const line = Buffer.alloc(BYTES, ' ')
  return {
    write({ id, count }) {
      try {
        if (file === undefined) return
        line.fill(' ').write(`${id} ${count}`, 'latin1')
        line.write('\n', BYTES - 1)
        writeSync(file, line, 0, BYTES, 0)
      } catch {}
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}
