import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Takes a folder for this process alone and returns the function that gives it back, or `undefined`
 * when another process has it.
 *
 * SQLite's exclusive lock is one of the kernel's: it goes with the process however that dies, where
 * a file that holds a process id would stay behind and be believed.
 */
export function lockFolder(folder: string): (() => void) | undefined {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    return () => lock.close()
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
