import { type ChildProcess, spawn } from 'node:child_process'
import type { Clock } from '@plantroom/base/clock'
import type { JobName, JobProgress } from '@plantroom/contract/jobs'
import type { ChildWord, WorkerWord } from './child-words.ts'
import type { Ending } from './ending.ts'
import type { JobRow } from './job.ts'

const MINUTE_MS = 60_000
const LAST_WORDS = 4_000

export interface ChildSettings {
  /** Runs `runInChild`. */
  program: string
  /** Of its heap: one that needs more is ended. */
  heapMb: number
  /** The same, once an attempt has failed: a single text of 90 MB does not fit into what is enough for all others. */
  laterHeapMb: number
  limitMs: Readonly<Record<JobName, number>>
}

export const LIMIT_MS: ChildSettings['limitMs'] = {
  PREVIEW_TICKET_IMPORT: 30 * MINUTE_MS,
  TICKET_IMPORT: 60 * MINUTE_MS,
  TICKET_EXPORT: 60 * MINUTE_MS,
}

/** A job in a process of its own: whatever it does to its memory, the worker lives on. */
export interface JobChild {
  readonly pid: number
  /** Never rejects. `stopped` only after `stop`. */
  readonly ending: Promise<Ending>
  /** What it said last. */
  readonly progress: JobProgress | null
  /** Asks it to leave its work whole and end; after `graceMs` it is ended. */
  stop(graceMs: number): void
  kill(): void
}

export function startChild(job: JobRow, settings: ChildSettings, clock: Clock): JobChild {
  const limitMs = settings.limitMs[job.name]
  const heapMb = job.retryCount > 1 ? settings.laterHeapMb : settings.heapMb
  const child = spawn(
    process.execPath,
    [...process.execArgv, `--max-old-space-size=${heapMb}`, settings.program, job.id, String(job.claim)],
    { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] },
  )
  let said: Ending | undefined
  let progress: JobProgress | null = null
  let lastWords = ''
  let overdue = false
  let stopping = false
  child.on('message', (word: ChildWord) => {
    if ('progress' in word) progress = word.progress
    else said = word.ending
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-LAST_WORDS)
  })
  const callOffLimit = clock.after(limitMs, () => {
    overdue = true
    child.kill('SIGKILL')
  })

  function endingOf(code: number | null, signal: NodeJS.Signals | null): Ending {
    if (said?.kind === 'done' || (said?.kind === 'failed' && said.final)) return said
    if (stopping) return { kind: 'stopped' }
    if (said) return said
    const cause = lastWords || `ended with ${signal ?? code}`
    if (overdue) return { kind: 'broken', reason: `it took longer than ${inWords(limitMs)} and was ended`, cause }
    if (lastWords.includes('heap out of memory')) {
      return {
        kind: 'broken',
        reason: `it needed more than the ${heapMb} MB of memory that a job may use`,
        cause,
      }
    }
    return { kind: 'broken', reason: `its process ended unexpectedly (${signal ?? `exit code ${code}`})`, cause }
  }

  const ending = new Promise<Ending>((resolve) => {
    // `close`: its last words and messages have then arrived. It comes after `exit`, also of one that never started.
    child.once('close', (code, signal) => resolve(endingOf(code, signal)))
    child.once('error', (error) => {
      if (child.pid === undefined)
        resolve({ kind: 'broken', reason: 'its process could not be started', cause: error.message })
    })
  }).finally(callOffLimit)

  return {
    pid: child.pid ?? 0,
    ending,
    get progress() {
      return progress
    },
    stop(graceMs) {
      if (stopping) return
      stopping = true
      tell(child, { stop: true })
      const callOff = clock.after(graceMs, () => child.kill('SIGKILL'))
      void ending.then(callOff)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

/** With a callback: a process that goes in this very moment must not end us with an error. */
function tell(child: ChildProcess, word: WorkerWord): void {
  if (child.connected) child.send(word, () => {})
}

function inWords(ms: number): string {
  if (ms < MINUTE_MS) return `${ms / 1000} s`
  return ms === 60 * MINUTE_MS ? '1 hour' : `${ms / MINUTE_MS} minutes`
}
