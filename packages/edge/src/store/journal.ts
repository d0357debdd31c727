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
  `CREATE TABLE power_limit (seq INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT;
   CREATE TABLE moved_load (datapoint_id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT, WITHOUT ROWID`,
]

const SQLITE = { busy: 5, corrupt: 11, notADatabase: 26 } as const
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
    const failure = new Failure('unavailable', `the device's journal ${path} cannot be used: ${reason(error)}`)
    failure.cause = error
    throw failure
  }
}

/** Returns what is damaged when a journal could not be opened for that; `undefined` for any other failure. */
export function damageIn(failure: unknown): string | undefined {
  const cause = failure instanceof Failure ? failure.cause : undefined
  if (cause instanceof Damage) return cause.message
  return is(cause, SQLITE.corrupt) || is(cause, SQLITE.notADatabase) ? (cause as Error).message : undefined
}

/** What SQLite reads without an error, and is not as it was written. */
class Damage extends Error {}

function prepared(journal: Journal): Journal {
  try {
    // Exclusive before WAL: this keeps the index of the log in memory and other processes out.
    journal.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    journal.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
    const found = journal.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (found !== 'ok') throw new Damage(String(found))
    migrate(journal)
    checkDocuments(journal)
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

/** SQLite checks the structure of the file, not the texts in it. A start would fail on these for ever. */
function checkDocuments(journal: Journal): void {
  const tables = journal.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%document TEXT%'")
  for (const { name: table } of tables.all()) {
    const wrong = journal.prepare(`SELECT count(*) AS rows FROM ${table} WHERE NOT json_valid(document)`).get()?.rows
    if (Number(wrong) > 0) throw new Damage(`${wrong} rows of ${table} cannot be read`)
  }
}

const is = (error: unknown, code: number) =>
  // The lowest byte is the primary error code.
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === code

function reason(error: unknown): string {
  if (is(error, SQLITE.busy)) {
    return 'another edge process uses it; stop that one or set PLANTROOM_DATA to another folder'
  }
  return error instanceof Error ? error.message : String(error)
}
