import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { moveAside } from './aside.ts'
import type { Journal } from './journal.ts'

/**
 * Writes a whole copy of an open journal to the place where it belongs. What is there is kept aside: its log must never
 * meet the new file. A power cut in between leaves no journal, which the next start notices.
 */
export function bringJournalTo(folder: string, journal: Journal, now: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'journal.db')
  const next = `${path}.new`
  rmSync(next, { force: true })
  journal.exec(`VACUUM INTO '${next.replaceAll("'", "''")}'`)
  flush(next)
  moveAside(folder, now)
  renameSync(next, path)
  flush(folder)
}

function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
