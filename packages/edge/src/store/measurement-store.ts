import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Measurement, MeasurementBatch, MeasurementGap } from '@plantroom/contract/telemetry'
import type { TelemetryFile } from './telemetry-file.ts'

/** Seven weeks of a hundred datapoints every quarter of an hour. */
const MAX_ROWS = 500_000

/** Measurements on their way to the cloud, in the order in which they were taken. */
export interface MeasurementStore {
  /** Stores all of them together. Never throws: measurements that cannot be written are counted as a gap. */
  add(measurements: readonly Measurement[]): void
  /** Returns the oldest measurements and gaps. The batch returned last is never dropped for lack of room, nor changed. */
  next(limit: number): MeasurementBatch | undefined
  /** Deletes everything up to this batch, which the cloud has stored. Throws when the disk fails. */
  forget(upTo: number): void
  /** Returns how many measurements wait; `undefined` while the file cannot be used. Never throws. */
  count(): number | undefined
  /** Returns how many were dropped or lost since the start. */
  dropped(): number
  close(): void
}

interface State {
  file: TelemetryFile
  clock: Clock
  log: Log
  maxRows: number
  db: DatabaseSync | undefined
  statements: Statements | undefined
  /** The end of the batch returned last. */
  givenOut: number
  memory: Memory
}

/** What the transaction in the file and the state in memory change together. */
interface Memory {
  rows: number
  lastSeq: number
  /** The gap of lost measurements that is not in the file yet. */
  lost: MeasurementGap | undefined
  /** How many were dropped or lost since the start. */
  dropped: number
}

/** Measurements and gaps share one sequence: a gap has the number of the last measurement that it counts. */
export function createMeasurementStore(deps: {
  file: TelemetryFile
  clock: Clock
  log: Log
  maxRows?: number
}): MeasurementStore {
  const state: State = {
    ...deps,
    maxRows: deps.maxRows ?? MAX_ROWS,
    db: undefined,
    statements: undefined,
    givenOut: 0,
    memory: { rows: 0, lastSeq: 0, lost: undefined, dropped: 0 },
  }
  return {
    add: (measurements) => add(state, measurements),
    next: (limit) => inFile(state, (ready) => nextBatch(state, ready, limit)),
    forget(upTo) {
      inTransaction(state, (ready) => {
        state.memory.rows -= Number(ready.deleteMeasurements.run(0, upTo).changes)
        ready.deleteGaps.run(0, upTo)
      })
    },
    dropped: () => state.memory.dropped,
    count() {
      try {
        return opened(state) && state.memory.rows
      } catch {
        return undefined
      }
    },
    close() {
      const { memory, log, file } = state
      try {
        if (memory.lost) write(state, [])
      } catch (error) {
        log.error({ ...memory.lost, error: messageOf(error) }, 'measurements were lost, and the gap cannot be saved')
      }
      file.close()
    },
  }
}

function add(state: State, measurements: readonly Measurement[]): void {
  const { memory, log } = state
  if (measurements.length === 0) return
  const { lost } = memory
  try {
    if (!write(state, measurements)) lose(memory, measurements)
    else if (lost) log.info(lost, 'measurements are archived again; some were lost')
  } catch (error) {
    lose(memory, measurements)
    if (!lost) log.error({ error: messageOf(error) }, 'measurements are lost: they cannot be written to the disk')
  }
}

function nextBatch(state: State, ready: Statements, limit: number): MeasurementBatch | undefined {
  const rows = ready.first.all(limit).map(measurementOfRow)
  const last = rows.at(-1)?.seq ?? 0
  // When all measurements fit, the batch includes the gaps behind the last one, which no later batch would carry.
  const gaps = ready.gapsBetween.all(0, rows.length < limit ? state.memory.lastSeq : last).map(gapOfRow)
  const upTo = Math.max(last, gaps.at(-1)?.seq ?? 0)
  if (upTo === 0) return undefined
  state.givenOut = upTo
  return {
    upTo,
    measurements: rows.map(({ seq: _, ...measurement }) => measurement),
    gaps: gaps.map(({ from, to, dropped }) => ({ from, to, dropped })),
  }
}

function write(state: State, measurements: readonly Measurement[]): boolean {
  const { memory } = state
  return inTransaction(state, (ready) => {
    writeLost(state, ready)
    for (const { datapointId, at, value, ...interval } of measurements) {
      memory.lastSeq += 1
      const values = INTERVAL_FIELDS.map((field) => interval[field] ?? null)
      memory.rows += Number(ready.insert.run(memory.lastSeq, datapointId, at, value, ...values).changes)
    }
    dropOldest(state, ready)
  })
}

function writeLost({ memory, givenOut }: State, ready: Statements): void {
  if (!memory.lost) return
  const lastKept = Number(ready.lastMeasurement.get()?.seq ?? 0)
  memory.lastSeq += 1
  writeGap(ready, memory.lost, { after: Math.max(givenOut, lastKept), seq: memory.lastSeq })
  memory.lost = undefined
}

function dropOldest({ memory, givenOut, maxRows }: State, ready: Statements): void {
  const excess = memory.rows - maxRows
  if (excess <= 0) return
  const oldest = gapOfRow(ready.oldest.get(givenOut, Math.max(excess, Math.ceil(maxRows / 100))))
  ready.deleteMeasurements.run(givenOut, oldest.seq)
  memory.rows -= oldest.dropped
  memory.dropped += oldest.dropped
  writeGap(ready, oldest, { after: givenOut, seq: oldest.seq })
}

/** Writes the gap that ends at `seq`, joined with the gaps since `after`. */
function writeGap(
  { gapsBetween, deleteGaps, insertGap }: Statements,
  gap: MeasurementGap,
  { after, seq }: { after: number; seq: number },
): void {
  const neighbours = gapsBetween.all(after, seq).map(gapOfRow)
  const { from, to, dropped } = neighbours.reduce(joinGaps, gap)
  deleteGaps.run(after, seq)
  insertGap.run(seq, from, to, dropped)
}

/** Runs the change in one transaction and rolls back file and memory when it fails. Returns false without a file. */
function inTransaction(state: State, change: (statements: Statements) => void): boolean {
  return (
    inFile(state, (ready) => {
      const before = { ...state.memory }
      try {
        state.db?.exec('BEGIN')
        change(ready)
        state.db?.exec('COMMIT')
        return true
      } catch (error) {
        Object.assign(state.memory, before)
        rollBack(state.db)
        throw error
      }
    }) ?? false
  )
}

/** Uses the file, and once more when that fails and the file recovers. Returns `undefined` without a file. */
function inFile<Result>(state: State, use: (statements: Statements) => Result): Result | undefined {
  const attempt = () => {
    const ready = opened(state)
    return ready && use(ready)
  }
  try {
    return attempt()
  } catch (error) {
    if (!state.file.recovers(error)) throw error
    return attempt()
  }
}

function opened(state: State): Statements | undefined {
  const { file, clock, memory } = state
  const current = file.open()
  if (current === state.db) return state.statements
  const prepared = current && prepare(current)
  if (prepared) {
    memory.rows = Number(prepared.count.get()?.rows)
    // A new file continues the numbers, so that a late confirmation for the old file does not match.
    memory.lastSeq = Math.max(memory.lastSeq, Number(prepared.lastSeq.get()?.seq ?? clock.now()))
  }
  state.db = current
  state.statements = prepared
  return prepared
}

function lose(memory: Memory, measurements: readonly Measurement[]): void {
  const gap = gapOf(measurements)
  memory.dropped += measurements.length
  if (gap) memory.lost = memory.lost ? joinGaps(memory.lost, gap) : gap
}

/** Returns the gap that the loss of these measurements leaves. */
function gapOf(measurements: readonly Measurement[]): MeasurementGap | undefined {
  const [first] = measurements
  if (!first) return undefined
  const gap = { from: first.at, to: first.at, dropped: measurements.length }
  for (const { at } of measurements) {
    gap.from = Math.min(gap.from, at)
    gap.to = Math.max(gap.to, at)
  }
  return gap
}

/** Joins two gaps that have no stored measurement between them. */
function joinGaps(a: MeasurementGap, b: MeasurementGap): MeasurementGap {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to), dropped: a.dropped + b.dropped }
}

type Statements = ReturnType<typeof prepare>
type GapRow = MeasurementGap & { seq: number }
type Row = Record<string, unknown> | undefined

function gapOfRow(row: Row): GapRow {
  return { seq: Number(row?.seq), from: Number(row?.from), to: Number(row?.to), dropped: Number(row?.dropped) }
}

const INTERVAL_FIELDS = ['seconds', 'mean', 'min', 'max', 'coverage', 'energyKwh'] as const

function measurementOfRow(row: Row): Measurement & { seq: number } {
  const { seq, datapointId, at, value, ...interval } = row ?? {}
  const known = INTERVAL_FIELDS.flatMap((field) =>
    interval[field] === null ? [] : [[field, Number(interval[field])] as const],
  )
  return {
    seq: Number(seq),
    datapointId: String(datapointId),
    at: Number(at),
    value: Number(value),
    ...Object.fromEntries(known),
  }
}

function prepare(db: DatabaseSync) {
  const gap = 'seq, first_at AS "from", last_at AS "to", dropped'
  return {
    count: db.prepare('SELECT count(*) AS rows FROM measurement'),
    lastSeq: db.prepare('SELECT max(seq) AS seq FROM sqlite_sequence'),
    lastMeasurement: db.prepare('SELECT max(seq) AS seq FROM measurement'),
    // After the clock is set back the same moment comes again. The first value wins.
    insert: db.prepare(
      `INSERT INTO measurement (seq, datapoint_id, at, value, seconds, mean, min, max, coverage, energy_kwh)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (at, datapoint_id) DO NOTHING`,
    ),
    first: db.prepare(
      `SELECT seq, datapoint_id AS datapointId, at, value, seconds, mean, min, max, coverage, energy_kwh AS energyKwh
       FROM measurement ORDER BY seq LIMIT ?`,
    ),
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

function rollBack(db: DatabaseSync | undefined): void {
  try {
    // SQLite may have rolled back already, for example on a full disk.
    if (db?.isTransaction) db.exec('ROLLBACK')
  } catch {
    // The error of the transaction itself says more than this one.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
