import { readFileSync } from 'node:fs'
import { type Clock, every } from '@plantroom/base/clock'

/** CPU that a job may use without any progress. Honest files of any size make progress many times a second. */
export const STALLED_CPU_MS = 60_000
const LOOK_MS = 2_000
/** A job that reads or writes this much is not stalled, also where it has no progress to report. */
const PROGRESS_BYTES = 1_000_000
/** The unit of `/proc/PID/stat`: every Linux that Node runs on counts hundredths of a second. */
const TICK_MS = 10

/** What the system has counted for a process. */
export interface ProcessUsage {
  cpuMs: number
  /** Read and written. */
  bytes: number
}

/** Returns the usage of a process; undefined where the system does not say, or when the process is gone. */
export function usageOf(pid: number): ProcessUsage | undefined {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const io = readFileSync(`/proc/${pid}/io`, 'utf8')
    const count = (name: string) => Number(io.split(`${name}: `)[1]?.split('\n', 1)[0])
    const usage = { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, bytes: count('rchar') + count('wchar') }
    return Number.isFinite(usage.cpuMs + usage.bytes) ? usage : undefined
  } catch {
    return undefined
  }
}

interface Watched {
  usage(): ProcessUsage | undefined
  /** What the job reported last. Compared by identity. */
  progress(): unknown
  /** Called once, when the job used `limitMs` of CPU without progress. */
  onStalled(): void
  limitMs: number
}

/** Watches a process from outside, because one in an endless loop answers no message. Returns what ends it. */
export function watchCpu(clock: Clock, { usage, progress, onStalled, limitMs }: Watched): () => void {
  let since: (ProcessUsage & { progress: unknown }) | undefined
  const stop = every(clock, LOOK_MS, () => {
    const now = usage()
    if (!now) return
    const reported = progress()
    if (!since || since.progress !== reported || now.bytes - since.bytes >= PROGRESS_BYTES) {
      since = { ...now, progress: reported }
    } else if (now.cpuMs - since.cpuMs >= limitMs) {
      stop()
      onStalled()
    }
  })
  return stop
}
