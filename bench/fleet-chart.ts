import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { bytesPerValue, commissionAll } from './fleet-storage.ts'
import type { BenchCloud, FleetBench } from './support/fleet.ts'
import { alone, type Measurement } from './support/measurement.ts'
import { median } from './support/statistics.ts'

const MINUTES_OF_A_YEAR = 525_600
/** As many as a chart has pixels across. */
const POINTS = 1_000
const LARGEST_PAGE = 10_000
const ROUNDS = 3
/** The newest days stay as they are. */
const FRAMES_OF_THREE_DAYS = 3 * 1440
const PATIENCE_MS = 120_000

/** Measures a year's chart of one datapoint with a value every minute. */
export async function measureChart(bench: FleetBench, devices: number): Promise<Measurement[]> {
  const minutes = devices >= 10_000 ? MINUTES_OF_A_YEAR : Math.min(MINUTES_OF_A_YEAR, devices * 50)
  const file = await bench.register('chart', 1, ['--values', '1'])
  await commissionAll(bench, file, 1, 1)
  await using fleet = bench.start(file, 1, ['--values', '1', '--batch', '1000', '--backlog', String(minutes)])
  await fleet.until('the year is confirmed', ({ confirmedValues }) => confirmedValues >= minutes - 1)
  await fleet.stop()
  const before = await readCharts(bench, file, minutes)
  await using _worker = await bench.startWorker()
  await untilCompacted(bench)
  const bytes = await bytesPerValue(bench, minutes)
  const charts = await readCharts(bench, file, minutes)
  const at = `${minutes} values of one datapoint, after a worker has compacted them, median of ${ROUNDS}`
  const all = (figure: (chart: Chart) => number) => median(charts.map(figure))
  return [
    alone(
      "a year's chart, calls",
      all(({ calls }) => calls),
      '',
      `${at}; target: 1`,
    ),
    alone("a year's chart, size", all(({ size }) => size) / 1000, 'kB', `${at}; target: 150`),
    alone(
      "a year's chart, time",
      all(({ ms }) => ms),
      'ms',
      `${at}; target: 300`,
    ),
    alone(
      "a year's chart before that, time",
      median(before.map(({ ms }) => ms)),
      'ms',
      'right after a backlog of a year',
    ),
    alone('bytes a value of one datapoint', bytes, 'B', `${at}; target: 20`),
  ]
}

/** Waits until past days have left the table of frames, then rewrites it at once instead of leaving that to autovacuum. */
async function untilCompacted({ databaseUrl }: FleetBench): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const count = async () => Number((await client.query('SELECT count(*) FROM measurement_frame')).rows[0]?.count ?? 0)
    const giveUpAt = performance.now() + PATIENCE_MS
    while ((await count()) > FRAMES_OF_THREE_DAYS) {
      if (performance.now() > giveUpAt) throw new Error('no worker has compacted the year')
      await setTimeout(500)
    }
    await client.query('VACUUM FULL ANALYZE measurement_frame')
  } finally {
    await client.end()
  }
}

async function readCharts(bench: FleetBench, file: string, minutes: number): Promise<Chart[]> {
  const charts: Chart[] = []
  for (let round = 0; round < ROUNDS; round += 1) charts.push(await readChart(bench, file, minutes))
  return charts
}

interface Chart {
  calls: number
  size: number
  ms: number
}

/** With `points`, where the service knows it; otherwise by pages, as before. */
async function readChart(bench: FleetBench, file: string, minutes: number): Promise<Chart> {
  const [device] = bench.devicesIn(file)
  const [cloud] = bench.clouds as [BenchCloud]
  const path = `/api/orgs/${bench.orgId}/devices/${device?.id}/datapoints/${device?.system?.datapointIds[0]}/measurements`
  const to = Date.now()
  const range = { from: new Date(to - minutes * 60_000).toISOString(), to: new Date(to).toISOString() }
  const started = performance.now()
  let [calls, size, cursor] = [0, 0, '']
  do {
    const asked = calls === 0 ? { points: String(POINTS) } : { cursor }
    const query = new URLSearchParams({ ...range, limit: String(LARGEST_PAGE), ...asked })
    if (calls === 0) query.delete('limit')
    const response = await fetch(`${cloud.baseUrl}${path}?${query}`, { headers: { 'x-api-key': bench.apiKey } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status}: ${text}`)
    calls += 1
    size += Buffer.byteLength(text)
    const reply = JSON.parse(text)
    cursor = reply.nextCursor ?? ''
  } while (cursor !== '')
  return { calls, size, ms: performance.now() - started }
}
