import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Measurement, MeasurementBatch, MeasurementGap } from '@plantroom/contract/telemetry'
import { gapOf, joinGaps } from './measurement-gap.ts'
import type { TelemetryFile } from './telemetry-file.ts'

/** Seven weeks of a hundred datapoints every quarter of an hour. */
const MAX_ROWS = 500_000

/** Measurements on their way to the cloud, in the order they were taken. */
export interface MeasurementStore {
  /** Keeps them, all at once. Never throws: what the disk does not take is dropped and counted as a gap. */
  add(measurements: readonly Measurement[]): void
  /** The oldest. What was given out last is not dropped for want of room, nor are its gaps changed. */
  next(limit: number): MeasurementBatch | undefined
  /** Drops everything up to this batch, which the cloud has. Throws when the disk does not take it. */
  forget(upTo: number): void
  /** How many wait. `undefined` while the file cannot be used. Never throws. */
  count(): number | undefined
  close(): void
}

/** Measurements and gaps share one sequence: a gap stands where the last measurement that it counts was. */
export function createMeasurementStore(deps: {
  file: TelemetryFile
  clock: Clock
  log: Log
  maxRows?: number
}): MeasurementStore {
  const { file, clock, log, maxRows = MAX_ROWS } = deps
  const rowsAtOnce = Math.ceil(maxRows / 100)
  let db: DatabaseSync | undefined
  let statements: Statements | undefined
  let givenOut = 0
  /** `lost` waits to be written down. */
  const memory: { rows: number; lastSeq: number; lost: MeasurementGap | undefined } = {
    rows: 0,
    lastSeq: 0,
    lost: undefined,
  }

  function opened(): Statements | undefined {
    const current = file.open()
    if (current === db) return statements
    const prepared = current && prepare(current)
    if (prepared) {
      memory.rows = Number(prepared.count.get()?.rows)
      // A new file starts where no earlier one was: a late confirmation of what that one held must not fit.
      memory.lastSeq = Math.max(memory.lastSeq, Number(prepared.lastSeq.get()?.seq ?? clock.now()))
    }
    db = current
    statements = prepared
    return statements
  }

  function inFile<Result>(use: (statements: Statements) => Result): Result | undefined {
    const attempt = () => {
      const ready = opened()
      return ready && use(ready)
    }
    try {
      return attempt()
    } catch (error) {
      if (!file.recovers(error)) throw error
      return attempt()
    }
  }

  /** All of it or nothing, in the file and in memory. False when there is no file. */
  function inTransaction(change: (statements: Statements) => void): boolean {
    return (
      inFile((ready) => {
        const before = { ...memory }
        try {
          db?.exec('BEGIN')
          change(ready)
          db?.exec('COMMIT')
          return true
        } catch (error) {
          Object.assign(memory, before)
          undo(db)
          throw error
        }
      }) ?? false
    )
  }

  /** The gap that ends at `seq`, as one with those since `after`. */
  function writeGap(
    { gapsBetween, deleteGaps, insertGap }: Statements,
    gap: MeasurementGap,
    after: number,
    seq: number,
  ) {
    const neighbours = gapsBetween.all(after, seq).map(gapOfRow)
    const { from, to, dropped } = neighbours.reduce(joinGaps, gap)
    deleteGaps.run(after, seq)
    insertGap.run(seq, from, to, dropped)
  }

  function writeLost(ready: Statements): void {
    if (!memory.lost) return
    const lastKept = Number(ready.lastMeasurement.get()?.seq ?? 0)
    memory.lastSeq += 1
    writeGap(ready, memory.lost, Math.max(givenOut, lastKept), memory.lastSeq)
    memory.lost = undefined
  }

  function dropOldest(ready: Statements): void {
    const excess = memory.rows - maxRows
    if (excess <= 0) return
    const oldest = gapOfRow(ready.oldest.get(givenOut, Math.max(excess, rowsAtOnce)))
    ready.deleteMeasurements.run(givenOut, oldest.seq)
    memory.rows -= oldest.dropped
    writeGap(ready, oldest, givenOut, oldest.seq)
  }

  function write(measurements: readonly Measurement[]): boolean {
    return inTransaction((ready) => {
      writeLost(ready)
      for (const { datapointId, at, value } of measurements) {
        memory.lastSeq += 1
        memory.rows += Number(ready.insert.run(memory.lastSeq, datapointId, at, value).changes)
      }
      dropOldest(ready)
    })
  }

  function lose(measurements: readonly Measurement[]): void {
    const gap = gapOf(measurements)
    if (gap) memory.lost = memory.lost ? joinGaps(memory.lost, gap) : gap
  }

  return {
    add(measurements) {
      if (measurements.length === 0) return
      const { lost } = memory
      try {
        if (!write(measurements)) return lose(measurements)
        if (lost) log.info(lost, 'measurements are archived again; some were lost')
      } catch (error) {
        lose(measurements)
        if (!lost) log.error({ error: message(error) }, 'measurements are lost: the disk does not take them')
      }
    },

    next(limit) {
      return inFile((ready) => {
        const rows = ready.first.all(limit).map(measurementOfRow)
        const last = rows.at(-1)?.seq ?? 0
        // Behind the last measurement of all, a gap may follow that no later one would take along.
        const gaps = ready.gapsBetween.all(0, rows.length < limit ? memory.lastSeq : last).map(gapOfRow)
        const upTo = Math.max(last, gaps.at(-1)?.seq ?? 0)
        if (upTo === 0) return undefined
        givenOut = upTo
        return {
          upTo,
          measurements: rows.map(({ datapointId, at, value }) => ({ datapointId, at, value })),
          gaps: gaps.map(({ from, to, dropped }) => ({ from, to, dropped })),
        }
      })
    },

    forget(upTo) {
      inTransaction((ready) => {
        memory.rows -= Number(ready.deleteMeasurements.run(0, upTo).changes)
        ready.deleteGaps.run(0, upTo)
      })
    },

    count() {
      try {
        return opened() && memory.rows
      } catch {
        return undefined
      }
    },

    close() {
      try {
        if (memory.lost) write([])
      } catch (error) {
        log.error({ ...memory.lost, error: message(error) }, 'measurements were lost, and the gap cannot be kept')
      }
      file.close()
    },
  }
}

type Statements = ReturnType<typeof prepare>
type GapRow = MeasurementGap & { seq: number }
type Row = Record<string, unknown> | undefined

function gapOfRow(row: Row): GapRow {
  return { seq: Number(row?.seq), from: Number(row?.from), to: Number(row?.to), dropped: Number(row?.dropped) }
}

function measurementOfRow(row: Row): Measurement & { seq: number } {
  const { seq, datapointId, at, value } = row ?? {}
  return { seq: Number(seq), datapointId: String(datapointId), at: Number(at), value: Number(value) }
}

function prepare(db: DatabaseSync) {
  const gap = 'seq, first_at AS "from", last_at AS "to", dropped'
  return {
    count: db.prepare('SELECT count(*) AS rows FROM measurement'),
    lastSeq: db.prepare('SELECT max(seq) AS seq FROM sqlite_sequence'),
    lastMeasurement: db.prepare('SELECT max(seq) AS seq FROM measurement'),
    // After a clock was stepped back the same moment comes again: the first value stands.
    insert: db.prepare(
      'INSERT INTO measurement (seq, datapoint_id, at, value) VALUES (?, ?, ?, ?) ON CONFLICT (at, datapoint_id) DO NOTHING',
    ),
    first: db.prepare('SELECT seq, datapoint_id AS datapointId, at, value FROM measurement ORDER BY seq LIMIT ?'),
    oldest: db.prepare(
      `SELECT max(seq) AS seq, min(at) AS "from", max(at) AS "to", count(*) AS dropped
       FROM (SELECT seq, at FROM measurement WHERE seq > ? ORDER BY seq LIMIT ?)`,
    ),
    deleteMeasurements: db.prepare('DELETE FROM measurement WHERE seq > ? AND seq <= ?'),
    gapsBetween: db.prepare(`SELECT ${gap} FROM gap WHERE seq > ? AND seq <= ? ORDER BY seq`),
    deleteGaps: db.prepare('DELETE FROM gap WHERE seq > ? AND seq <= ?'),
    insertGap: db.prepare('INSERT INTO gap (seq, first_at, last_at, dropped) VALUES (?, ?, ?, ?)'),
  }
}

function undo(db: DatabaseSync | undefined): void {
  try {
    // A full disk may have undone it already.
    if (db?.isTransaction) db.exec('ROLLBACK')
  } catch {
    // Why the transaction failed says more than why it could not be undone.
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
