import { readdirSync, readFileSync } from 'node:fs'
import type { Demo } from './support/demo.ts'
import { alone, type Measurement } from './support/measurement.ts'

const LOOK_MS = 50

/** Watches the processes that take part in an import, starting now. */
export interface MemoryWatch {
  measurements(): Measurement[]
  stop(): void
}

/** A job's process is short-lived: its peak is the last value seen before its end. */
export function watchMemory({ pids }: Demo): MemoryWatch {
  const { cloud, worker } = pids
  let [job, both] = [0, 0]
  const timer = setInterval(() => {
    for (const pid of childrenOf(worker)) {
      const peak = peakMb(pid)
      job = Math.max(job, peak)
      both = Math.max(both, peak + peakMb(worker))
    }
  }, LOOK_MS)
  return {
    measurements: () => [
      alone('memory of the HTTP process', peakMb(cloud), 'MB', 'VmHWM, over all of the above; target: under 200'),
      alone('memory of a job', job, 'MB', `VmHWM of its process, sampled every ${LOOK_MS} ms; target: under 300`),
      alone('memory of worker and job', both, 'MB', 'VmHWM of both, one job at a time; target: under 300'),
    ],
    stop: () => clearInterval(timer),
  }
}

/** Returns 0 for a process that has just ended. */
function peakMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(contentOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks)
    .flatMap((task) => contentOf(`${tasks}/${task}/children`).split(' '))
    .filter((child) => child !== '')
    .map(Number)
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
