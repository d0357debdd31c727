import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@plantroom/contract/failure'

/** In order. What has been released is never edited: a change is a new one. */
const MIGRATIONS = ['CREATE TABLE technical_system (id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT']

const SQLITE_BUSY = 5

/** What a device remembers, on its own disk. A statement that returns has reached the disk. */
export type Journal = DatabaseSync

/** Opens the journal for this process alone. */
export function openJournal(folder: string): Journal {
  const path = join(folder, 'journal.db')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const journal = new DatabaseSync(path)
    // Exclusive before WAL: then the index of the log is in memory, and a second process is kept out.
    journal.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    migrate(journal)
    return journal
  } catch (error) {
    throw new Failure('unavailable', `the device's journal ${path} cannot be used: ${reason(error)}`)
  }
}

function migrate(journal: Journal): void {
  const version = Number(journal.prepare('PRAGMA user_version').get()?.user_version)
  if (version > MIGRATIONS.length) {
    throw new Error(
      `it was written by a newer version (${version}, this one knows ${MIGRATIONS.length}); update Plantroom`,
    )
  }
  for (const [index, statement] of MIGRATIONS.entries()) {
    if (index >= version) journal.exec(`BEGIN; ${statement}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}

function reason(error: unknown): string {
  if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
    return 'another edge process uses it; stop that one or set PLANTROOM_DATA to another folder'
  }
  return error instanceof Error ? error.message : String(error)
}
