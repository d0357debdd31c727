import { newId } from '@plantroom/base/ids'
import { JOB_NAMES, type JobName } from '@plantroom/contract/jobs'
import type { ChangeFeed } from '../db/change-feed.ts'
import { type Looks, startWork, type WorkKind } from '../work/index.ts'
import { type AttemptDeps, type AttemptSettings, runAttempt } from './attempt.ts'
import { jobRows, LEASE_MS } from './claim-store.ts'
import { beginAttempt } from './queue.ts'

export interface WorkerSettings extends AttemptSettings {
  /** How often an idle worker looks for jobs that became due, or whose lease expired. */
  pollMs: number
  /** Interval between heartbeats, which renew the lease and save the progress. Well below the lease. */
  heartbeatMs: number
}

export const WORKER_SETTINGS: WorkerSettings = {
  pollMs: 1_000,
  heartbeatMs: 2_000,
  retryMs: 1_000,
  graceMs: 8_000,
}

export interface WorkerDeps extends AttemptDeps {
  /** Wakes an idle worker as soon as a job is accepted or returned. Without it, the worker polls. */
  feed?: Pick<ChangeFeed, 'follow'>
  /** Shared with other work of the process. */
  looks?: Looks
  settings: WorkerSettings
}

export interface Worker {
  /** Number of jobs running now. */
  readonly running: number
  /** Claims no more jobs and returns the running ones to the queue without counting an attempt. */
  stop(): Promise<void>
}

/** Of each kind, in one worker. A preview never waits for an hour-long import. To run more, start more workers. */
const AT_ONCE = 2
/** One organization's long jobs leave a place to the others, whenever they come. */
const PER_ORGANIZATION = 1

/** Jobs of one kind, as work. */
export function jobKind(deps: WorkerDeps, name: JobName, workerId: string): WorkKind<'job', 'id'> {
  const { settings } = deps
  return {
    name: `job ${name}`,
    rows: jobRows(name, deps.kinds[name]),
    atOnce: AT_ONCE,
    perOrganization: PER_ORGANIZATION,
    leaseMs: LEASE_MS,
    renewMs: settings.heartbeatMs,
    lookMs: settings.pollMs,
    async run(lease, tools) {
      const job = await beginAttempt(deps, lease, workerId)
      if (job) await runAttempt(deps, job, tools)
    },
  }
}

/** Runs jobs of every kind. */
export function startWorker(deps: WorkerDeps): Worker {
  const workerId = newId('worker')
  const work = JOB_NAMES.map((name) => startWork(deps, jobKind(deps, name, workerId)))
  return {
    get running() {
      return work.reduce((sum, { running }) => sum + running, 0)
    },
    async stop() {
      await Promise.all(work.map((each) => each.stop()))
    },
  }
}
