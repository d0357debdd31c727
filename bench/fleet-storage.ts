import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { limitCpu } from './support/cpu-share.ts'
import type { BenchCloud, FleetBench, FleetRun } from './support/fleet.ts'
import { against, alone, type Measurement } from './support/measurement.ts'
import { stopProgram } from './support/processes.ts'

const VALUES = 20
const MOST_DEVICES = 1_000
const WARM_UP_MS = 3_000
const MEASURED_MS = 10_000
/** More than is stored in that time. */
const BACKLOG = 1_000
const ONE_INTERVAL_A_BATCH = ['--values', String(VALUES), '--batch', '1', '--connect-rate', '2000']
const FLOOR_ROWS = 1_000
const FLOOR_MS = 5_000

/**
 * Measures how many values a second the service stores and confirms in batches of 20, with one process and with two, while
 * every controller has a backlog. The floor is one connection that inserts the same rows into a bare table.
 */
export async function measureStorage(bench: FleetBench, devices: number): Promise<Measurement[]> {
  const count = Math.min(devices, MOST_DEVICES)
  const floor = await insertRate(bench)
  const one = await storedPerSecond(bench, 'one-process', count)
  const bytes = await bytesPerValue(bench, one.stored)
  const scaling = await measureScaling(bench, count)
  const at = `${count} controllers with a backlog, batches of ${VALUES} values, over ${MEASURED_MS / 1000} s`
  return [
    against('values stored, one process', [one.perSecond], '1/s', [floor], `${at}; floor: bare inserts; target: 60000`),
    ...scaling,
    alone('batches sent again', one.resent, '', at),
    alone('bytes a value, with indexes', bytes, 'B', `${one.stored} values just stored; target: 20`),
  ]
}

/** Of a core, for each cloud process: then the rest of the machine is enough for everything else. */
const SHARE = 0.2

/** Measures what a second process adds. On a machine where one process uses up all cores, it could add nothing. */
async function measureScaling(bench: FleetBench, count: number): Promise<Measurement[]> {
  const [first] = bench.clouds as [BenchCloud]
  await using limits = new AsyncDisposableStack()
  const limit = ({ child }: BenchCloud) => {
    const remove = limitCpu(child.pid ?? 0, SHARE)
    // Once the process is in the group, only its end empties the group.
    if (remove) limits.defer(() => stopProgram(child).then(remove))
    return remove !== undefined
  }
  const isLimited = limit(first)
  const one = await storedPerSecond(bench, 'scaling-one', count)
  const second = await bench.startCloud()
  limit(second)
  const two = await storedPerSecond(bench, 'scaling-two', count)
  const note = isLimited ? `each process has ${SHARE} of a core` : 'no limit: this user may not set one'
  return [
    against('values stored, two processes', [two.perSecond], '1/s', [one.perSecond], `${note}; target: 1.7`),
    alone('batches sent again by them', one.resent + two.resent, '', note),
  ]
}

interface Stored {
  perSecond: number
  /** Values confirmed since the start. */
  stored: number
  resent: number
}

/** With devices of its own, so that every value is new. */
async function storedPerSecond(bench: FleetBench, name: string, count: number): Promise<Stored> {
  const file = await bench.register(name, count, ['--values', String(VALUES)])
  // Commissioned first, without a backlog: it would compete with the values.
  await commissionAll(bench, file, count)
  await using fleet = bench.start(file, count, [...ONE_INTERVAL_A_BATCH, '--backlog', String(BACKLOG)])
  await fleet.until('everybody is connected', ({ connected }) => connected === count)
  await setTimeout(WARM_UP_MS)
  const before = sample(fleet)
  await setTimeout(MEASURED_MS)
  const after = sample(fleet)
  await fleet.stop()
  const { confirmedValues = 0, resent = 0 } = fleet.status ?? {}
  return {
    perSecond: ((after.values - before.values) / (after.at - before.at)) * 1000,
    stored: confirmedValues,
    resent,
  }
}

const sample = ({ status }: FleetRun) => ({ values: status?.confirmedValues ?? 0, at: performance.now() })

export async function commissionAll(bench: FleetBench, file: string, count: number, values = VALUES): Promise<void> {
  const args = ['--values', String(values), '--connect-rate', '2000']
  await using fleet = bench.start(file, count, args)
  await fleet.until('everybody is commissioned', ({ commissioned }) => commissioned === count)
  await fleet.stop()
}

/** What one connection inserts into a table of the same columns, in statements of 1,000 rows. */
async function insertRate({ databaseUrl }: FleetBench): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`CREATE TABLE bench_floor (device_id text, datapoint_id text, at timestamptz,
      value double precision, PRIMARY KEY (device_id, datapoint_id, at))`)
    const ids = Array.from({ length: FLOOR_ROWS }, (_, row) => `dp_0123456789abcdef${row % VALUES}`)
    const values = ids.map((_, row) => row / 10)
    const started = performance.now()
    let rows = 0
    for (let at = 0; performance.now() - started < FLOOR_MS; at += 60) {
      await client.query(
        `INSERT INTO bench_floor SELECT 'dev_' || row / ${VALUES}, id, to_timestamp($1::int), value
         FROM unnest($2::text[], $3::double precision[]) WITH ORDINALITY AS new (id, value, row)`,
        [at, ids, values],
      )
      rows += FLOOR_ROWS
    }
    return (rows / (performance.now() - started)) * 1000
  } finally {
    await client.query('DROP TABLE IF EXISTS bench_floor')
    await client.end()
  }
}

/** The size of every table of measurements with its indexes, by value. */
export async function bytesPerValue({ databaseUrl }: FleetBench, values: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
       WHERE relkind = 'r' AND relname LIKE 'measurement%'`,
    )
    return Number(rows[0]?.bytes ?? 0) / values
  } finally {
    await client.end()
  }
}
