import { type Clock, every } from '@plantroom/base/clock'
import { Failure, type FailureKind } from '@plantroom/contract/failure'
import type { JobProgress } from '@plantroom/contract/jobs'
import type { Db } from '../db/database.ts'
import type { ChildEnding, ChildWord, WorkerWord } from './child-words.ts'
import { findJob, isHeld } from './claim-store.ts'
import type { JobHandlers, JobRow } from './job.ts'
import { JobFailure } from './job-failure.ts'

const PROGRESS_MS = 200
const HELD_MS = 2_000

/**
 * The life of the process of one job: runs the handler of the job that its arguments name, tells the worker how it
 * ended, and ends. Without its worker, or when another has taken the job over, it ends at once.
 */
export async function runInChild(deps: {
  clock: Clock
  open(signal: AbortSignal): Promise<{ db: Db; handlers: JobHandlers }>
}): Promise<never> {
  const [id = '', claim = ''] = process.argv.slice(2)
  const stop = new AbortController()
  process.once('disconnect', () => process.exit(1))
  if (!process.connected) process.exit(1)
  process.on('message', (word: WorkerWord) => {
    if (word.stop) stop.abort()
  })
  // A Ctrl-C reaches all processes of a terminal: the worker decides what becomes of its jobs.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

  const ending = await attempt({ ...deps, id, claim: Number(claim), signal: stop.signal })
  await tell({ ending })
  process.exit(0)
}

async function attempt(options: {
  clock: Clock
  open(signal: AbortSignal): Promise<{ db: Db; handlers: JobHandlers }>
  id: string
  claim: number
  signal: AbortSignal
}): Promise<ChildEnding> {
  const { clock, id, claim, signal } = options
  try {
    const { db, handlers } = await options.open(signal)
    const job = await findJob(db, id)
    if (job?.claim !== claim) throw new JobFailure('another worker has taken this job over', { final: false })
    leaveWhenLost(db, job, clock)
    using progress = paced(clock)
    const output = await handlers[job.name]({ job, progress: progress.report, signal })
    return { kind: 'done', output }
  } catch (error) {
    return endingOf(error)
  }
}

/** Of these no further attempt is better off: what they name has to be changed by somebody. */
const FINAL: readonly FailureKind[] = ['invalid', 'forbidden', 'notFound', 'conflict']

function endingOf(error: unknown): ChildEnding {
  if (error instanceof JobFailure) {
    const { message, final, problems, cause } = error
    return { kind: 'failed', message, final, problems, ...(cause !== undefined && { cause: stackOf(cause) }) }
  }
  if (!(error instanceof Failure)) {
    return { kind: 'broken', reason: 'an unexpected error occurred', cause: stackOf(error) }
  }
  if (FINAL.includes(error.kind)) return { kind: 'failed', message: error.message, final: true }
  return { kind: 'broken', reason: error.message }
}

/** A worker that is frozen keeps its channel open, and cannot tell us that the job is another's by now. */
function leaveWhenLost(db: Db, job: JobRow, clock: Clock): void {
  every(clock, HELD_MS, () => {
    isHeld(db, job).then(
      (held) => {
        if (!held) process.exit(1)
      },
      // Without a database nothing can be written either.
      () => {},
    )
  })
}

/** Tells the last of what comes within a moment, and the very last at the end. */
function paced(clock: Clock): Disposable & { report(progress: JobProgress): void } {
  let latest: JobProgress | undefined
  let callOff = () => {}
  function flush() {
    if (latest) void tell({ progress: latest })
    latest = undefined
  }
  return {
    report(progress) {
      if (latest === undefined) callOff = clock.after(PROGRESS_MS, flush)
      latest = progress
    },
    [Symbol.dispose]() {
      callOff()
      flush()
    },
  }
}

/** Resolves when it is said; a worker that is gone is told nothing. */
function tell(word: ChildWord): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) return resolve()
    process.send(word, undefined, undefined, () => resolve())
  })
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
