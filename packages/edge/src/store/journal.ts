import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@plantroom/contract/failure'

/** Applied in order. Never edit a released migration; add a new one. */
const MIGRATIONS = [
  'CREATE TABLE technical_system (id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT',
  `CREATE TABLE override_window (
     seq INTEGER PRIMARY KEY, id TEXT NOT NULL, datapoint_id TEXT NOT NULL, value REAL NOT NULL,
     from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, req_id TEXT NOT NULL, begun INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE hold (datapoint_id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE answer (
     seq INTEGER PRIMARY KEY, lookup INTEGER NOT NULL, key_id TEXT NOT NULL, req_id TEXT NOT NULL,
     request TEXT NOT NULL, reply TEXT NOT NULL, at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX answer_lookup ON answer (lookup);
   CREATE TABLE report (seq INTEGER PRIMARY KEY, settled INTEGER NOT NULL, entry TEXT NOT NULL) STRICT;
   CREATE INDEX report_unsettled ON report (seq) WHERE NOT settled;
   CREATE TABLE fact (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID`,
  "ALTER TABLE override_window ADD COLUMN placed_by TEXT NOT NULL DEFAULT ''",
  // Entries that wait for the equipment moved from the report table into their hold.
  `ALTER TABLE override_window DROP COLUMN begun;
   CREATE TABLE applied_override (override_id TEXT PRIMARY KEY, value_before TEXT NOT NULL) STRICT, WITHOUT ROWID;
   DROP INDEX report_unsettled;
   ALTER TABLE report DROP COLUMN settled`,
  `ALTER TABLE override_window ADD COLUMN placed_by_name TEXT NOT NULL DEFAULT '';
   ALTER TABLE override_window ADD COLUMN reason TEXT NOT NULL DEFAULT '';
   CREATE INDEX answer_key ON answer (key_id)`,
  'CREATE TABLE limit_state (datapoint_id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT, WITHOUT ROWID',
  // For a controller that replaces another: what it has been given so far, and the override ids of the other.
  `CREATE TABLE restore_part (
     replacement_id TEXT NOT NULL, part INTEGER NOT NULL, document TEXT NOT NULL, PRIMARY KEY (replacement_id, part)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE issued_override (id TEXT PRIMARY KEY, placed_by TEXT NOT NULL) STRICT, WITHOUT ROWID`,
]

const SQLITE_BUSY = 5
/**
 * Size at which the write-ahead log is emptied into the file: smaller than the disk reserve, so that the reserve is
 * enough to empty it on a full disk.
 */
const LOG_PAGES = 200

/** The device's database on its own disk. A statement that returns has reached the disk. */
export type Journal = DatabaseSync

/** Opens the journal for this process exclusively. */
export function openJournal(folder: string): Journal {
  const path = join(folder, 'journal.db')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return prepared(new DatabaseSync(path))
  } catch (error) {
    throw new Failure('unavailable', `the device's journal ${path} cannot be used: ${reason(error)}`)
  }
}

function prepared(journal: Journal): Journal {
  try {
    // Exclusive before WAL: this keeps the index of the log in memory and other processes out.
    journal.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    journal.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
    migrate(journal)
    return journal
  } catch (error) {
    journal.close()
    throw error
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
