import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { formatTimestamp } from '@plantroom/contract/timestamp'

/** Applied in order. Never edit a released migration; add a new one. */
const MIGRATIONS = [
  `CREATE TABLE measurement (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     datapoint_id TEXT NOT NULL,
     at INTEGER NOT NULL,
     value REAL NOT NULL,
     UNIQUE (at, datapoint_id)
   ) STRICT;
   CREATE TABLE gap (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     first_at INTEGER NOT NULL,
     last_at INTEGER NOT NULL,
     dropped INTEGER NOT NULL
   ) STRICT`,
  `ALTER TABLE measurement ADD COLUMN seconds INTEGER;
   ALTER TABLE measurement ADD COLUMN mean REAL;
   ALTER TABLE measurement ADD COLUMN min REAL;
   ALTER TABLE measurement ADD COLUMN max REAL;
   ALTER TABLE measurement ADD COLUMN coverage INTEGER;
   ALTER TABLE measurement ADD COLUMN energy_kwh REAL`,
]

const NAME = 'telemetry.db'
const BROKEN = `${NAME}.broken-`
const RETRY_MS = 60_000

const SQLITE = { busy: 5, corrupt: 11, full: 13, notADatabase: 26 } as const

/**
 * The file in which measurements wait, separate from the journal so that neither its size nor its flushes affect
 * control. None of its calls throws: the device controls equipment without it.
 */
export interface TelemetryFile {
  /** Returns `undefined` while the file cannot be used. Retries every minute. */
  open(): DatabaseSync | undefined
  /**
   * Tries to recover from an error: moves a corrupt file aside and starts a new one, or frees space in the log on a full
   * disk. Returns true when the caller should retry.
   */
  recovers(error: unknown): boolean
  close(): void
}

export function createTelemetryFile(deps: { folder: string; clock: Clock; log: Log }): TelemetryFile {
  const { folder, clock, log } = deps
  const path = join(folder, NAME)
  let db: DatabaseSync | undefined
  let retryAt = Number.NEGATIVE_INFINITY
  let loggedError = ''

  function attempt(change: () => DatabaseSync): void {
    try {
      db = change()
      loggedError = ''
    } catch (error) {
      db = undefined
      retryAt = clock.monotonic() + RETRY_MS
      if (loggedError !== messageOf(error)) log.error({ path, error: messageOf(error) }, 'no measurements are archived')
      loggedError = messageOf(error)
    }
  }

  function openOrReplace(): DatabaseSync {
    const isNew = !existsSync(path)
    try {
      return openDatabase(folder, path)
    } catch (error) {
      if (isNew && !is(error, SQLITE.busy)) remove(path)
      // A file that another process uses, or that has no room to grow, is not broken.
      if (isNew || is(error, SQLITE.busy) || is(error, SQLITE.full)) throw error
      return replaceBroken(error)
    }
  }

  function replaceBroken(error: unknown): DatabaseSync {
    const aside = `${BROKEN}${formatTimestamp(clock.now()).replaceAll(':', '-')}`
    log.error(
      { path, aside, error: messageOf(error) },
      'the archive of measurements is broken: moved it aside and started a new one',
    )
    renameSync(path, join(folder, aside))
    // The log may contain the latest measurements, in case someone tries to rescue them.
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, join(folder, `${aside}-wal`))
    removeOlder(aside)
    return openOrReplace()
  }

  // On a failing disk, broken files would pile up until the journal has no room.
  function removeOlder(latest: string): void {
    for (const name of readdirSync(folder)) {
      if (name.startsWith(BROKEN) && !name.startsWith(latest)) rmSync(join(folder, name), { recursive: true })
    }
  }

  return {
    open() {
      if (!db && clock.monotonic() >= retryAt) attempt(openOrReplace)
      return db
    },
    recovers(error) {
      if (db && is(error, SQLITE.full)) return emptyLog(db)
      if (!db || !(is(error, SQLITE.corrupt) || is(error, SQLITE.notADatabase))) return false
      quietly(() => db?.close())
      attempt(() => replaceBroken(error))
      return db !== undefined
    },
    close() {
      quietly(() => db?.close())
      db = undefined
      retryAt = Number.POSITIVE_INFINITY
    },
  }
}

function openDatabase(folder: string, path: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(path)
  try {
    // Exclusive before WAL: this keeps the index of the log in memory and other processes out.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    migrate(db)
    return db
  } catch (error) {
    quietly(() => db.close())
    throw error
  }
}

function migrate(db: DatabaseSync): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (version > MIGRATIONS.length) {
    throw new Error(`it was written by a newer version (${version}, this one knows ${MIGRATIONS.length})`)
  }
  for (const [index, statement] of MIGRATIONS.entries()) {
    if (index >= version) db.exec(`BEGIN; ${statement}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}

// An empty log is rewritten from its start, in space that it already has.
function emptyLog(db: DatabaseSync): boolean {
  try {
    db.exec('PRAGMA wal_checkpoint(RESTART)')
    return true
  } catch {
    return false
  }
}

function remove(path: string): void {
  for (const part of [path, `${path}-wal`]) quietly(() => rmSync(part, { force: true }))
}

function is(error: unknown, code: number): boolean {
  // The lowest byte is the primary error code.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === code
}

function quietly(action: () => void): void {
  try {
    action()
  } catch {}
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
