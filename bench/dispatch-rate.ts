import type { ChildProcess } from 'node:child_process'
import type { Datapoint } from '@plantroom/contract/datapoint'
import { commandRequest, type Demo, dispatchBody } from './support/demo.ts'
import { type HttpRequest, type LoadResult, load } from './support/load.ts'
import { against, alone, type Measurement } from './support/measurement.ts'
import { ask, untilIdle } from './support/processes.ts'
import { median } from './support/statistics.ts'

const CALLERS = 32
const ROUNDS = 5
const WARM_UP_SECONDS = 1
const SECONDS = 2
/** Short, so that overrides end while others are placed and the device never reaches its limit. */
const WINDOW_MS = 1_500
/** The maximum ratio between the slowest and the fastest round of a floor. */
const STEADY = 1.5

/**
 * Measures durable dispatches to one device, against bare transactions on the same disk and against values polls. Polls
 * take the same path without the disk, so that ratio does not depend on the speed of a flush.
 */
export async function measureRate(demo: Demo, floor: ChildProcess): Promise<Measurement[]> {
  const writable = demo.connections
    .flatMap(({ datapoints }) => datapoints)
    .filter(({ accessType }) => accessType !== 'READ')
  const pollBody = JSON.stringify({ data: { id: demo.connections[0]?.id } })
  const subjects = {
    spread: dispatches(demo, writable),
    single: dispatches(demo, writable.slice(0, 1)),
    poll: commandRequest(demo, 'getTechnicalConnectionValues', pollBody),
  }
  const names = Object.keys(subjects) as (keyof typeof subjects)[]
  const results: Record<keyof typeof subjects, LoadResult[]> = { spread: [], single: [], poll: [] }
  const floors: number[] = []

  for (const name of names) await load(subjects[name], CALLERS, WARM_UP_SECONDS)
  // Alternate, so that other load on the machine affects all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    await untilIdle(Object.values(demo.pids))
    floors.push((await ask<{ perSecond: number }>(floor, { seconds: SECONDS })).perSecond)
    for (const name of names) {
      await untilIdle(Object.values(demo.pids))
      results[name].push(await load(subjects[name], CALLERS, SECONDS))
    }
  }
  await untilIdle(Object.values(demo.pids))

  const rates = (name: keyof typeof subjects) => results[name].map(({ perSecond }) => perSecond)
  const at = `${CALLERS} callers, median of ${ROUNDS} rounds`
  const floorNote = sayFloors(floors)
  return [
    against('dispatch vs bare transaction', rates('spread'), '1/s', floors, `${at}; ${floorNote}; target: 0.5`),
    against('one datapoint vs transaction', rates('single'), '1/s', floors, `${at}; ${floorNote}`),
    against('dispatch vs values poll', rates('spread'), '1/s', rates('poll'), at),
    alone('dispatch p50', median(results.spread.map(({ p50Ms }) => p50Ms)), 'ms', at),
    alone('dispatch p99', median(results.spread.map(({ p99Ms }) => p99Ms)), 'ms', at),
  ]
}

/** Other disk load slows the floor far more than it slows us, so an unsteady floor makes the ratio look good. */
function sayFloors(floors: readonly number[]): string {
  const [least, most] = [Math.min(...floors), Math.max(...floors)]
  const range = `floor ${Math.round(least)} to ${Math.round(most)}`
  return most / least > STEADY ? `${range}: not steady, IGNORE THE RATIO` : range
}

/** Sends each to the next datapoint, and never with the value that it had before. */
function dispatches(demo: Demo, datapoints: readonly Datapoint[]): HttpRequest {
  let sent = 0
  return commandRequest(demo, 'demandResponseOverride', () => {
    const { id, writeInputData } = datapoints[sent % datapoints.length] as Datapoint
    const { min, max } = writeInputData ?? { min: 0, max: 1 }
    const value = min + (Math.floor(sent / datapoints.length) % (max - min + 1))
    sent += 1
    return dispatchBody({ datapointId: id, value, from: Date.now(), lengthMs: WINDOW_MS })
  })
}
