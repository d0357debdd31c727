import { setTimeout } from 'node:timers/promises'
import { startTimedEdge, type TimedEdge } from './poll-timed.ts'
import type { Demo } from './support/demo.ts'
import { against, alone, type Measurement } from './support/measurement.ts'
import { cpuMs, residentMb } from './support/processes.ts'
import { median } from './support/statistics.ts'

const FEW = 1_000
const MANY = 5_000
const STARTS = 3
const SETTLE_MS = 5_000

const POLLED = 500
/** A new process has one burst of 50 ms CPU 8 to 12 s after it starts to poll, more than 10 s of polling cost. */
const CPU_SETTLE_MS = 15_000
const CPU_SECONDS = 10
/** The median of so many: V8 compiles or collects garbage in some of them, for up to three times the cost of polling. */
const CPU_WINDOWS = 6

/** Measures the memory of datapoints with two devices that differ only in their number. */
export async function measureMemory(demo: Demo, folder: string): Promise<Measurement[]> {
  await using few = await startTimedEdge({ demo, folder, datapoints: FEW, pollSeconds: 1 })
  await using many = await startTimedEdge({ demo, folder, datapoints: MANY, pollSeconds: 1 })
  const edges = [few, many]
  const each: number[] = []
  const resident: Record<'few' | 'many', number[]> = { few: [], many: [] }
  for (let start = 0; start < STARTS; start += 1) {
    // A new process has no memory left over from commissioning.
    await Promise.all(edges.map((edge) => edge.restart()))
    await setTimeout(SETTLE_MS)
    const [ofFew, ofMany] = [residentMb(few.pid()), residentMb(many.pid())]
    resident.few.push(ofFew)
    resident.many.push(ofMany)
    each.push(((ofMany - ofFew) / (MANY - FEW)) * 1000)
  }

  const at = `polled every second, ${SETTLE_MS / 1000} s after a start, median of ${STARTS}`
  return [
    alone('memory of 1,000 datapoints', median(each), 'MB', `${at}; from ${FEW} to ${MANY}`),
    alone(`edge with ${FEW} datapoints`, median(resident.few), 'MB', `resident; ${at}`),
    alone(`edge with ${MANY} datapoints`, median(resident.many), 'MB', `resident; ${at}`),
  ]
}

/** Measures the CPU cost of polling on an otherwise idle device, compared with one that has nothing to poll. */
export async function measureCpu(demo: Demo, folder: string): Promise<Measurement[]> {
  await using polling = await startTimedEdge({ demo, folder, datapoints: POLLED, pollSeconds: 1 })
  await using idle = await startTimedEdge({ demo, folder, datapoints: 0, pollSeconds: 1 })
  await setTimeout(CPU_SETTLE_MS)
  const shares: Record<'polling' | 'idle', number[]> = { polling: [], idle: [] }
  for (let window = 0; window < CPU_WINDOWS; window += 1) {
    const [ofPolling, ofIdle] = [used(polling), used(idle)]
    const from = performance.now()
    await setTimeout(CPU_SECONDS * 1000)
    const took = performance.now() - from
    shares.polling.push(((used(polling) - ofPolling) / took) * 100)
    shares.idle.push(((used(idle) - ofIdle) / took) * 100)
  }
  const note = `of a core, median of ${CPU_WINDOWS} × ${CPU_SECONDS} s, attached to the cloud; the floor has nothing to poll`
  return [against(`edge CPU, ${POLLED} datapoints a second`, shares.polling, '%', shares.idle, note)]
}

const used = (edge: TimedEdge) => cpuMs(edge.pid())
