import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Of two that reach for it at the same moment, neither would have it without a second look. */
const RIVALS_MS = 200

// A lock that nobody refers to any more would be closed by the garbage collector, and so be lost.
const held = new Set<DatabaseSync>()

/**
 * Takes a folder for this process alone and returns the function that gives it back, or `undefined`
 * when another process has it.
 *
 * SQLite's exclusive lock is one of the kernel's: it goes with the process however that dies, where
 * a file that holds a process id would stay behind and be believed.
 */
export function lockFolder(folder: string): (() => void) | undefined {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: RIVALS_MS })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    held.add(lock)
    return () => {
      if (held.delete(lock)) lock.close()
    }
  } catch (error) {
    lock.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
