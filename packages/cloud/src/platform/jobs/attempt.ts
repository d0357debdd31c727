import { addAbortListener } from 'node:events'
import { type Clock, sleep } from '@plantroom/base/clock'
import { correlate } from '@plantroom/base/correlation'
import type { Log } from '@plantroom/base/log'
import { type Trace, traced } from '@plantroom/base/trace'
import type { RunTools } from '../work/index.ts'
import { progressColumn } from './claim-store.ts'
import type { Ending } from './ending.ts'
import type { JobRow } from './job.ts'
import type { JobProcess } from './job-process.ts'
import { type QueueDeps, settleJob } from './queue.ts'

export interface AttemptSettings {
  /** Delay before a failed access to the database is retried. */
  retryMs: number
  /** How long a job process has to finish cleanly when the worker stops. */
  graceMs: number
}

export interface AttemptDeps extends QueueDeps {
  startProcess(job: JobRow): JobProcess
  clock: Clock
  log: Log
  settings: AttemptSettings
  trace?: Trace | undefined
}

/** Runs one attempt of a job and records how it ended. A worker that stops returns the job to the queue. */
export function runAttempt(deps: AttemptDeps, job: JobRow, tools: RunTools<'job'>): Promise<void> {
  const attributes = { 'plantroom.job.id': job.id, 'plantroom.job.attempt': job.retryCount }
  const about = { name: `job ${job.name}`, kind: 'consumer' as const, attributes }
  return correlate({ job: job.id }, () => traced(deps.trace, about, () => attemptJob(deps, job, tools)))
}

async function attemptJob(
  deps: AttemptDeps,
  job: JobRow,
  { stopping, lost, alsoStore }: RunTools<'job'>,
): Promise<void> {
  const { settings } = deps
  const log = deps.log.child({ kind: job.name })
  log.info({ attempt: job.retryCount, of: job.maxAttempts }, 'attempt started')

  const child = deps.startProcess(job)
  alsoStore(() => progressColumn(child.progress))
  using _stops = addAbortListener(stopping, () => child.stop(settings.graceMs))
  // Another worker has the job.
  using _ends = addAbortListener(lost, () => child.kill())
  const ending = await child.ending
  await settle({ ...deps, log }, job, ending, child)
}

/** Records the ending, retrying for a while: a lost connection must not discard an hour of work. */
async function settle(deps: AttemptDeps, job: JobRow, ending: Ending, child: JobProcess): Promise<void> {
  const { log, clock, settings } = deps
  const giveUpAt = clock.monotonic() + settings.graceMs * 6
  for (;;) {
    try {
      const verdict = await settleJob(deps, job, ending, child.progress)
      if (!verdict) return log.warn('another worker took over the job; discarded the result of this attempt')
      const { status, resolved, retryInS } = verdict
      // Handler messages are not logged: they may quote the package.
      const reason = ending.kind === 'broken' ? ending.reason : undefined
      return log[status === 'ERROR' ? 'warn' : 'info']({ status, resolved, retryInS, reason }, 'attempt ended')
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'could not record the end of a job; retrying')
      if (clock.monotonic() > giveUpAt) return
      await sleep(clock, settings.retryMs)
    }
  }
}
