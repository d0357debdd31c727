import { type Clock, every, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { JobChild } from './child.ts'
import type { Ending } from './ending.ts'
import type { JobRow } from './job.ts'
import type { JobQueue, Message } from './queue.ts'
import { claimJob, reportProgress, settleJob, type TransitionDeps } from './transitions.ts'

export interface AttemptSettings {
  /** Well within the lease. */
  touchMs: number
  progressMs: number
  /** After a word to the database that failed. */
  againMs: number
  /** How long a job may take to leave its work whole when the worker stops. */
  graceMs: number
}

export interface AttemptDeps extends TransitionDeps {
  queue: JobQueue
  start(job: JobRow): JobChild
  clock: Clock
  log: Log
  settings: AttemptSettings
}

/** Runs the job of a message once and says what became of it. Aborting gives the job back. */
export async function runAttempt(deps: AttemptDeps, message: Message, signal: AbortSignal): Promise<void> {
  const { queue, clock, settings } = deps
  const log = deps.log.child({ job: message.jobId, kind: message.name })
  const job = await claimJob(deps, message)
  if (!job) return
  log.info({ attempt: job.retryCount, of: job.maxAttempts }, 'a job begins')

  const child = deps.start(job)
  const stop = () => child.stop(settings.graceMs)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const endTouching = every(clock, settings.touchMs, () => {
    queue.touch(message).catch((error: Error) => log.warn({ error: error.message }, 'the lease was not renewed'))
  })
  let lost = false
  let isReporting = false
  const endReporting = every(clock, settings.progressMs, () => {
    // It waits for the transaction that the job has open: those that pile up behind a long one would take every connection.
    if (isReporting) return
    isReporting = true
    reportProgress(deps, job, child.progress)
      .then(
        (held) => {
          if (held || lost) return
          lost = true
          child.kill()
        },
        (error: Error) => log.warn({ error: error.message }, 'the progress was not written'),
      )
      .finally(() => {
        isReporting = false
      })
  })
  try {
    const ending = await child.ending
    endReporting()
    await settle({ ...deps, log }, message, job, ending, child)
  } finally {
    endReporting()
    endTouching()
    signal.removeEventListener('abort', stop)
  }
}

/** Tried until it is said or the job is another's: what a job has done is not forgotten over a lost connection. */
async function settle(
  deps: AttemptDeps,
  message: Message,
  job: JobRow,
  ending: Ending,
  child: JobChild,
): Promise<void> {
  const { log, clock, settings } = deps
  const patience = clock.monotonic() + settings.graceMs * 6
  for (;;) {
    try {
      await reportProgress(deps, job, child.progress)
      const verdict = await settleJob(deps, message, job, ending)
      if (!verdict) return log.warn('the job was taken over by another worker: its end here is left out')
      const { status, resolved, againInS } = verdict
      // Never the message of a handler: it may quote the package.
      const reason = ending.kind === 'broken' ? ending.reason : undefined
      return log[status === 'ERROR' ? 'warn' : 'info']({ status, resolved, againInS, reason }, 'a job has ended')
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the end of a job was not written; trying again')
      if (clock.monotonic() > patience) return
      await sleep(clock, settings.againMs)
    }
  }
}
