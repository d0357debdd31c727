import { systemClock } from '@plantroom/base/clock'
import type { JobName, JobProgress } from '@plantroom/contract/jobs'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { claimDue, renew, timeOf } from '../../work/index.ts'
import { jobRows, LEASE_MS, type NewJob, progressColumn, startAttempt } from '../claim-store.ts'
import type { Ending } from '../ending.ts'
import type { JobKinds, JobOutput, JobRow } from '../job.ts'
import { acceptJob, beginAttempt, type QueueDeps, settleJob } from '../queue.ts'

export type { Ending, JobOutput }

const UNLIMITED = { perSite: 1_000_000, perOrganization: 1_000_000 }

/** Accepts a job and starts its first attempt, whatever else is due. */
export async function startJob(deps: { db: Db; kinds: JobKinds }, job: NewJob): Promise<JobRow> {
  return nextAttempt(deps.db, await acceptJob({ ...deps, quota: UNLIMITED }, job))
}

/** Starts the next attempt of a job, as a worker does whose predecessor died. */
export async function nextAttempt(db: Db, id: string): Promise<JobRow> {
  await sql`
    UPDATE job SET attempts = attempts + 1, claim = claim + 1, leased_until = now() + interval '1 minute'
    WHERE id = ${id}`.execute(db)
  return startAttempt(db, id, 'worker_test')
}

/** Takes the next due job of a kind, as a worker does that runs nothing else. */
export async function claimNext(deps: QueueDeps, name: JobName, workerId: string): Promise<JobRow | undefined> {
  const share = { places: 1, perOrganization: 1, running: new Map<string, number>() }
  const options = { kind: `job ${name}`, now: timeOf(systemClock), leaseMs: LEASE_MS, ...share }
  for (;;) {
    const [lease] = await claimDue(deps.db, jobRows(name, deps.kinds[name]), options)
    if (!lease) return undefined
    const job = await beginAttempt(deps, lease, workerId)
    if (job) return job
  }
}

/** Claims the next due job of a kind, ends it, and returns its id. */
export async function endNextJob(deps: { db: Db; kinds: JobKinds }, name: JobName, ending: Ending): Promise<string> {
  const queue = { ...deps, retryDelayS: 0 }
  const job = await claimNext(queue, name, 'worker_test')
  if (!job) throw new Error(`no ${name} is due`)
  await settleJob(queue, job, ending)
  return job.id
}

/** Renews the lease and saves the progress, as heartbeats do. False when the claim is no longer valid. */
export function renewLease(db: Db, job: JobRow, progress: JobProgress | null): Promise<boolean> {
  const lease = { id: job.id, organizationId: job.organizationId, claim: job.claim, attempts: job.retryCount }
  const rows = jobRows(job.name, { isOneAtATime: false })
  return renew(db, rows, lease, { now: timeOf(systemClock), leaseMs: LEASE_MS, set: progressColumn(progress) })
}
