import { readdirSync, readFileSync } from 'node:fs'
import type { Demo } from './support/demo.ts'
import { alone, type Measurement } from './support/measurement.ts'

const LOOK_MS = 50

/** Watches the processes that take part in an import, from now on. */
export interface MemoryWatch {
  measurements(): Measurement[]
  stop(): void
}

/** The process of a job comes and goes: its peak is what was seen last, up to a look before its end. */
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
      alone('memory of the HTTP process', peakMb(cloud), 'MB', 'VmHWM, over all of the above; aim: under 200'),
      alone('memory of a job', job, 'MB', `VmHWM of its process, seen every ${LOOK_MS} ms; aim: under 300`),
      alone('memory of worker and job', both, 'MB', 'VmHWM of both, one job at a time; aim: under 300'),
    ],
    stop: () => clearInterval(timer),
  }
}

/** Zero for one that has just gone. */
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
