import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { formatTimestamp } from '@plantroom/contract/timestamp'

/** In order. What has been released is never edited: a change is a new one. */
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
]

const NAME = 'telemetry.db'
const BROKEN = `${NAME}.broken-`
const TRY_AGAIN_MS = 60_000

const SQLITE = { busy: 5, corrupt: 11, full: 13, notADatabase: 26 } as const

/**
 * The file that measurements wait in, apart from the journal: neither its size nor its flushes may be in the way of
 * control. None of its calls throws: a device without this file controls as well as one with it.
 */
export interface TelemetryFile {
  /** `undefined` while the file cannot be used; tried again every minute. */
  open(): DatabaseSync | undefined
  /**
   * Does what can be done about what the use of the file ended with: a broken one is moved aside and a new one begun,
   * a full disk is made the most of. True when it is worth trying again at once.
   */
  recovers(error: unknown): boolean
  close(): void
}

export function createTelemetryFile(deps: { folder: string; clock: Clock; log: Log }): TelemetryFile {
  const { folder, clock, log } = deps
  const path = join(folder, NAME)
  let db: DatabaseSync | undefined
  let tryAgainAt = Number.NEGATIVE_INFINITY
  let said = ''

  function attempt(change: () => DatabaseSync): void {
    try {
      db = change()
      said = ''
    } catch (error) {
      db = undefined
      tryAgainAt = clock.monotonic() + TRY_AGAIN_MS
      if (said !== message(error)) log.error({ path, error: message(error) }, 'no measurements are archived')
      said = message(error)
    }
  }

  function openOrBeginNew(): DatabaseSync {
    const isNew = !existsSync(path)
    try {
      return openDatabase(folder, path)
    } catch (error) {
      if (isNew && !is(error, SQLITE.busy)) remove(path)
      // Nothing is wrong with a file that another process uses or that has no room to grow.
      if (isNew || is(error, SQLITE.busy) || is(error, SQLITE.full)) throw error
      return beginNew(error)
    }
  }

  function beginNew(error: unknown): DatabaseSync {
    const aside = `${BROKEN}${formatTimestamp(clock.now()).replaceAll(':', '-')}`
    log.error(
      { path, aside, error: message(error) },
      'the archive of measurements is broken: moved aside for a new one',
    )
    renameSync(path, join(folder, aside))
    // What was written last may be in the log, for whoever tries to save it.
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, join(folder, `${aside}-wal`))
    removeOlder(aside)
    return openOrBeginNew()
  }

  // On a failing disk they would add up until no room is left for the journal.
  function removeOlder(latest: string): void {
    for (const name of readdirSync(folder)) {
      if (name.startsWith(BROKEN) && !name.startsWith(latest)) rmSync(join(folder, name), { recursive: true })
    }
  }

  return {
    open() {
      if (!db && clock.monotonic() >= tryAgainAt) attempt(openOrBeginNew)
      return db
    },
    recovers(error) {
      if (db && is(error, SQLITE.full)) return emptyLog(db)
      if (!db || !(is(error, SQLITE.corrupt) || is(error, SQLITE.notADatabase))) return false
      quietly(() => db?.close())
      attempt(() => beginNew(error))
      return db !== undefined
    },
    close() {
      quietly(() => db?.close())
      db = undefined
      tryAgainAt = Number.POSITIVE_INFINITY
    },
  }
}

function openDatabase(folder: string, path: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(path)
  try {
    // Exclusive before WAL: then the index of the log is in memory, and a second process is kept out.
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

// Emptied, the log is written from its start again: in room that is there already.
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
  // The lowest byte is the kind, the others say more about it.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === code
}

function quietly(action: () => void): void {
  try {
    action()
  } catch {}
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
