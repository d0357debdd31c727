import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureChart } from './fleet-chart.ts'
import { measureDispatch } from './fleet-dispatch.ts'
import { measureMinute } from './fleet-minute.ts'
import { measurePresence } from './fleet-presence.ts'
import { measureStorage } from './fleet-storage.ts'
import { type FleetBench, startFleetBench } from './support/fleet.ts'
import type { Measurement } from './support/measurement.ts'

/** Sockets of other connections, and files. */
const OTHER_FILES = 500

export interface FleetBenchOptions {
  /** The rows to measure; all without one. */
  rows: readonly string[]
  /** The number of controllers of the large rows. */
  devices: number
}

type Row = (bench: FleetBench, devices: number) => Promise<Measurement[]>

/** In this order: what leaves values behind comes late. */
const ROWS: Readonly<Record<string, Row>> = {
  presence: measurePresence,
  dispatch: measureDispatch,
  minute: measureMinute,
  storage: measureStorage,
  chart: measureChart,
}
export const FLEET_ROWS = Object.keys(ROWS)

/** Measures thousands of imitated controllers on PostgreSQL, the shipped Mosquitto profile and one or two clouds. */
export async function benchFleet({ rows, devices }: FleetBenchOptions): Promise<Measurement[]> {
  checkOpenFiles(devices)
  const measured: Measurement[] = []
  for (const [name, measure] of Object.entries(ROWS)) {
    if (rows.length > 0 && !rows.includes(name)) continue
    const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
    try {
      // A set-up of its own for each row: rows kill its parts.
      console.error(`measuring ${name} ...`)
      await using bench = await startFleetBench(folder)
      measured.push(...(await measure(bench, devices)))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return measured
}

/** The broker and the imitated controllers each need a descriptor for every controller. */
function checkOpenFiles(devices: number): void {
  const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  const needed = devices + OTHER_FILES
  if (soft === 'unlimited' || Number(soft) >= needed) return
  throw new Error(
    `${devices} controllers need ${needed} open files, and this shell allows ${soft}: run 'ulimit -n ${needed}' first, or use --devices ${Math.max(1, Number(soft) - OTHER_FILES)}`,
  )
}
