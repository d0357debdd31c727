import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Clock } from '@plantroom/base/clock'
import { giveWay } from '@plantroom/base/give-way'
import type { JobProgress } from '@plantroom/contract/jobs'
import { STALLED_CPU_MS, usageOf, watchCpu } from './cpu-watch.ts'
import type { Ending } from './ending.ts'
import type { JobKinds, JobRow } from './job.ts'

const MINUTE_MS = 60_000
const KEPT_STDERR = 4_000

/** Another attempt would read the same file in the same way. */
const STALLED =
  'The job was ended: it used a minute of CPU without progress. Its file probably has content that the program that wrote it never writes. Export the file again and upload it; if that does not help, send the id of this job to the people who run the service.'

/** How a job process says it ended. Only the worker knows whether it stopped the process. */
export type ReportedEnding = Exclude<Ending, { kind: 'stopped' }>

/** A message from a job process to its worker. */
export type ProcessMessage = { progress: JobProgress } | { ending: ReportedEnding }

/** A message from the worker to a job process: finish cleanly and exit. */
export interface StopMessage {
  stop: true
}

export interface ProcessSettings {
  /** Path of the program, which calls `runJobProcess`. */
  program: string
  /** Heap limit of a first attempt that others can follow. */
  heapMb: number
  /**
   * Heap limit of later attempts, and of a job's only one. A single request of 90 MB needs more than the limit that suits
   * all other packages.
   */
  retryHeapMb: number
  kinds: JobKinds
  /** Gets each line of its log. */
  output: { write(line: string): void }
  /** CPU that a job may use without progress; a minute by default. */
  stalledCpuMs?: number
  /** Of the process; that of this one by default. */
  environment?: Readonly<Record<string, string | undefined>>
}

/** A job running in a separate process, so that it cannot take the worker down with it. */
export interface JobProcess {
  readonly pid: number
  /** Never rejects. `stopped` only after `stop`. */
  readonly ending: Promise<Ending>
  /** The progress it reported last. */
  readonly progress: JobProgress | null
  /** Asks the process to finish cleanly, and kills it after `graceMs`. */
  stop(graceMs: number): void
  kill(): void
}

/** What the worker has observed of a job process. */
interface Observed {
  reported: ReportedEnding | undefined
  progress: JobProgress | null
  stderr: string
  isOverdue: boolean
  isStalled: boolean
  isStopping: boolean
  readonly heapMb: number
  readonly limitMs: number
}

export function startJobProcess(job: JobRow, settings: ProcessSettings, clock: Clock): JobProcess {
  const { limitMs } = settings.kinds[job.name]
  const hasRetry = job.maxAttempts > 1
  const heapMb = job.retryCount > 1 || !hasRetry ? settings.retryHeapMb : settings.heapMb
  const observed: Observed = {
    reported: undefined,
    progress: null,
    stderr: '',
    isOverdue: false,
    isStalled: false,
    isStopping: false,
    heapMb,
    limitMs,
  }
  const child = spawn(
    process.execPath,
    [...process.execArgv, `--max-old-space-size=${heapMb}`, settings.program, job.id, String(job.claim)],
    // Not `inherit`: that makes the output of the worker blocking.
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], ...(settings.environment && { env: settings.environment }) },
  )
  if (child.pid !== undefined) giveWay(child.pid)
  child.on('message', (message: ProcessMessage) => {
    if ('progress' in message) observed.progress = message.progress
    else observed.reported = message.ending
  })
  // A process that could not be started has no output.
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => settings.output.write(`${line}\n`))
  child.stderr?.on('data', (chunk: Buffer) => {
    observed.stderr = (observed.stderr + chunk.toString()).slice(-KEPT_STDERR)
  })
  const cancelLimit = clock.after(limitMs, () => {
    observed.isOverdue = true
    child.kill('SIGKILL')
  })

  const endWatch = watchCpu(clock, {
    usage: () => (child.pid === undefined ? undefined : usageOf(child.pid)),
    progress: () => observed.progress,
    limitMs: settings.stalledCpuMs ?? STALLED_CPU_MS,
    onStalled() {
      observed.isStalled = true
      child.kill('SIGKILL')
    },
  })

  const ending = new Promise<Ending>((resolve) => {
    // `close`, not `exit`: all output and messages have arrived by then.
    child.once('close', (code, signal) => resolve(endingOf(observed, code, signal)))
    child.once('error', (error) => {
      if (child.pid === undefined)
        resolve({ kind: 'broken', reason: 'its process could not be started', cause: error.message })
    })
  }).finally(() => {
    cancelLimit()
    endWatch()
  })

  return {
    pid: child.pid ?? 0,
    ending,
    get progress() {
      return observed.progress
    },
    stop(graceMs) {
      if (observed.isStopping) return
      observed.isStopping = true
      const message: StopMessage = { stop: true }
      // With a callback: without one, a process that exits at this moment would raise an error event here.
      if (child.connected) child.send(message, () => {})
      const cancelKill = clock.after(graceMs, () => child.kill('SIGKILL'))
      void ending.then(cancelKill)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function endingOf(observed: Observed, code: number | null, signal: NodeJS.Signals | null): Ending {
  const { reported, stderr, heapMb } = observed
  if (reported?.kind === 'done' || (reported?.kind === 'failed' && reported.final)) return reported
  if (observed.isStopping) return { kind: 'stopped' }
  if (reported) return reported
  if (observed.isStalled) return { kind: 'failed', message: STALLED, final: true }
  const cause = stderr || `ended with ${signal ?? code}`
  if (observed.isOverdue) {
    return { kind: 'broken', reason: `it exceeded the time limit of ${describeDuration(observed.limitMs)}`, cause }
  }
  if (stderr.includes('heap out of memory')) {
    const reason = `it needed more memory than the limit of ${heapMb} MB`
    return { kind: 'broken', reason, isTooLarge: true, cause }
  }
  return { kind: 'broken', reason: `its process ended unexpectedly (${signal ?? `exit code ${code}`})`, cause }
}

function describeDuration(ms: number): string {
  if (ms < MINUTE_MS) return `${ms / 1000} s`
  return ms === 60 * MINUTE_MS ? '1 hour' : `${ms / MINUTE_MS} minutes`
}
