import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Retry for this long: of two simultaneous attempts, both would fail otherwise. */
const RIVALS_MS = 200

// Keep a reference: the garbage collector would close an unreferenced database and release its lock.
const held = new Set<DatabaseSync>()

/**
 * Locks a folder for this process. Returns the function that releases it, or `undefined` if another process has the
 * lock.
 *
 * The kernel releases SQLite's exclusive lock when the process dies in any way. A file with a process id would stay
 * behind and still look valid.
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
