import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import type { BenchEquipment } from './dispatch-equipment.ts'
import type { Demo } from './support/demo.ts'
import type { RegisterWrite } from './support/equipment.ts'
import { against, type Measurement } from './support/measurement.ts'
import { openPartner } from './support/partner.ts'
import { ask, untilIdle } from './support/processes.ts'
import { quantile } from './support/statistics.ts'

const ROUNDS = 2
const WINDOWS = 100
/** Between the starts of two overrides. Their ends lie halfway between starts, on another datapoint. */
const STAGGER_MS = 60
const LENGTH_MS = 4.5 * STAGGER_MS
const LEAD_MS = 1_500
const LATEST_MS = 1_000
const FLOOR_STAGGER_MS = 30
/** A separate register that the device does not use. */
const FLOOR_REGISTER = 1_000

interface Planned {
  datapointId: string
  register: number
  value: number
  from: number
  to: number
}

/**
 * Measures how late the equipment is written when an override starts and ends, against a timer that flushes and writes.
 */
export async function measureDelay(demo: Demo, equipment: BenchEquipment, floor: ChildProcess): Promise<Measurement[]> {
  const floors: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await untilIdle(Object.values(demo.pids))
    floors.push(...(await floorDelays(equipment, floor)))
    const delays = await windowDelays(demo, equipment)
    starts.push(...delays.starts)
    ends.push(...delays.ends)
  }

  const at = (share: number, values: readonly number[]) => [quantile(values, share)]
  const note = `at the equipment, ${ROUNDS * WINDOWS} windows, idle`
  return [
    against('from to register p50', at(0.5, starts), 'ms', at(0.5, floors), note),
    against('from to register p99', at(0.99, starts), 'ms', at(0.99, floors), `${note}; target: under 50 ms`),
    against('to to register p50', at(0.5, ends), 'ms', at(0.5, floors), note),
    against('to to register p99', at(0.99, ends), 'ms', at(0.99, floors), `${note}; target: under 50 ms`),
  ]
}

async function floorDelays({ writes }: BenchEquipment, floor: ChildProcess): Promise<number[]> {
  const first = writes.length
  const start = Date.now() + FLOOR_STAGGER_MS
  const times = Array.from({ length: WINDOWS }, (_, index) => start + index * FLOOR_STAGGER_MS)
  await ask(floor, { register: FLOOR_REGISTER, times })
  await setTimeout(LATEST_MS)
  const stamps = writes.slice(first).filter(({ register }) => register === FLOOR_REGISTER)
  return times.map((time, index) => stampOf(stamps[index], 'the floor') - time)
}

async function windowDelays(demo: Demo, { points, writes }: BenchEquipment) {
  const first = writes.length
  const partner = await openPartner(demo)
  const start = Date.now() + LEAD_MS
  const planned = Array.from({ length: WINDOWS }, (_, index): Planned => {
    const point = points[index % points.length]
    if (!point) throw new Error('the equipment has no datapoints')
    const from = start + index * STAGGER_MS
    return { ...point, value: index + 1, from, to: from + LENGTH_MS }
  })
  for (const { datapointId, value, from } of planned) {
    await partner.dispatch({ datapointId, value, from, lengthMs: LENGTH_MS })
  }
  partner.close()
  if (Date.now() > start) throw new Error('the overrides could not be queued before the first one started')
  await setTimeout(start + WINDOWS * STAGGER_MS + LENGTH_MS + LATEST_MS - Date.now())

  const delays = planned.map(({ register, value, from, to }) => {
    const stamps = writes.slice(first).filter((write) => write.register === register)
    const applied = stamps.findIndex((write) => write.value === value)
    // The next override releases the datapoint.
    return {
      start: stampOf(stamps[applied], `the start of window ${value}`) - from,
      end: stampOf(stamps[applied + 1], `the end of window ${value}`) - to,
    }
  })
  return { starts: delays.map((delay) => delay.start), ends: delays.map((delay) => delay.end) }
}

function stampOf(write: RegisterWrite | undefined, what: string): number {
  if (!write) throw new Error(`${what} was never written to the equipment`)
  return write.at
}
