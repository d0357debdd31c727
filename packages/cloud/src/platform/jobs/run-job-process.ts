import { type Clock, every } from '@plantroom/base/clock'
import { correlate } from '@plantroom/base/correlation'
import { Failure } from '@plantroom/contract/failure'
import type { JobProgress } from '@plantroom/contract/jobs'
import type { Db } from '../db/database.ts'
import { findJob, hasClaim, takenOver } from './claim-store.ts'
import { isFinalFailure, JobFailure, type JobHandlers, type JobRow, reasonFor } from './job.ts'
import type { ProcessMessage, ReportedEnding, StopMessage } from './job-process.ts'

const PROGRESS_MS = 200
const CHECK_CLAIM_MS = 2_000

interface ProcessDeps {
  clock: Clock
  open(signal: AbortSignal): Promise<{ db: Db; handlers: JobHandlers }>
}

/**
 * The main function of a job process: runs the handler of the job named by the arguments, reports the ending to the worker
 * and exits. It exits early when its worker dies or another worker claims the job.
 */
export async function runJobProcess(deps: ProcessDeps): Promise<never> {
  const [id = '', claim = ''] = process.argv.slice(2)
  const stop = new AbortController()
  process.once('disconnect', () => process.exit(1))
  if (!process.connected) process.exit(1)
  process.on('message', (message: StopMessage) => {
    if (message.stop) stop.abort()
  })
  // Ctrl-C reaches every process of a terminal, but only the worker decides what happens to its jobs.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

  const ending = await correlate({ job: id }, () => runHandler(deps, { id, claim: Number(claim), signal: stop.signal }))
  await send({ ending })
  process.exit(0)
}

async function runHandler(
  { clock, open }: ProcessDeps,
  { id, claim, signal }: { id: string; claim: number; signal: AbortSignal },
): Promise<ReportedEnding> {
  try {
    const { db, handlers } = await open(signal)
    const job = await findJob(db, id)
    if (job?.claim !== claim) throw takenOver()
    exitWhenTakenOver(db, job, clock)
    using progress = createProgressSender(clock)
    const output = await handlers[job.name]({ job, progress: progress.report, signal })
    return { kind: 'done', output }
  } catch (error) {
    return endingOf(error)
  }
}

function endingOf(error: unknown): ReportedEnding {
  if (error instanceof JobFailure) {
    const { message, final, problems, cause } = error
    return { kind: 'failed', message, final, problems, ...(cause !== undefined && { cause: stackOf(cause) }) }
  }
  if (!(error instanceof Failure)) return { kind: 'broken', reason: reasonFor(error), cause: stackOf(error) }
  if (isFinalFailure(error.kind)) return { kind: 'failed', message: error.message, final: true }
  return { kind: 'broken', reason: error.message }
}

/** Covers a frozen worker: it keeps the channel open, but can no longer kill this process. */
function exitWhenTakenOver(db: Db, job: JobRow, clock: Clock): void {
  every(clock, CHECK_CLAIM_MS, () => {
    hasClaim(db, job).then(
      (isOurs) => {
        if (!isOurs) process.exit(1)
      },
      // Without a database the job cannot write either.
      () => {},
    )
  })
}

/** Sends at most one progress message per interval, always the latest, and the last one when disposed. */
function createProgressSender(clock: Clock): Disposable & { report(progress: JobProgress): void } {
  let latest: JobProgress | undefined
  let cancel = () => {}
  function flush() {
    if (latest) void send({ progress: latest })
    latest = undefined
  }
  return {
    report(progress) {
      if (latest === undefined) cancel = clock.after(PROGRESS_MS, flush)
      latest = progress
    },
    [Symbol.dispose]() {
      cancel()
      flush()
    },
  }
}

/** Resolves once the message is sent, or when the worker is gone. */
function send(message: ProcessMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) return resolve()
    process.send(message, undefined, undefined, () => resolve())
  })
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
