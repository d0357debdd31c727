import { newId } from '@plantroom/base/ids'
import { quotaReached } from '@plantroom/contract/failure'
import type { JobProgress } from '@plantroom/contract/jobs'
import { type Db, inTransaction } from '../db/database.ts'
import type { Lease } from '../work/index.ts'
import {
  addJob,
  countUnfinished,
  findWaiting,
  lockJob,
  lockOrganization,
  type NewJob,
  saveVerdict,
  startAttempt,
} from './claim-store.ts'
import { type Ending, judgeEnding, type Verdict, WORKER_DIED } from './ending.ts'
import type { JobClaim, JobKinds, JobRow } from './job.ts'

export interface QueueDeps {
  db: Db
  kinds: JobKinds
  /** Time between a failed attempt and the next. */
  retryDelayS: number
  /** Called at the end of the transaction that resolves a job. */
  onResolved?(trx: Db, job: JobRow, verdict: Verdict): Promise<void>
}

/** How many jobs may be unfinished at a time. */
export interface JobQuota {
  perSite: number
  perOrganization: number
}

/** About the time of a small job: what a caller who reached the quota should wait. */
const RETRY_QUOTA_S = 30

/**
 * Accepts a job, due immediately, and returns its id. An accepted job always runs and ends resolved, whichever processes
 * die. A job of a kind that waiting jobs can join returns the id of the one that waits on the site.
 */
export async function acceptJob(
  { db, kinds, quota }: Pick<QueueDeps, 'db' | 'kinds'> & { quota: JobQuota },
  job: NewJob,
): Promise<string> {
  const { maxAttempts, joinsWaiting } = kinds[job.name]
  return inTransaction(db, async (trx) => {
    await lockOrganization(trx, job.organizationId)
    // A worker that claims it right now starts after this request, so it still sees all that the caller has seen.
    const waiting = joinsWaiting ? await findWaiting(trx, job.siteId, job.name) : undefined
    if (waiting !== undefined) return waiting
    requireRoom(await countUnfinished(trx, job), quota)
    const id = newId('job')
    await addJob(trx, id, { ...job, maxAttempts })
    return id
  })
}

function requireRoom(unfinished: { ofSite: number; ofOrganization: number }, quota: JobQuota): void {
  const refuse = (whose: string, count: number) =>
    quotaReached(
      `${whose} has reached its limit of ${count} unfinished jobs: wait until one has ended, then try again`,
      RETRY_QUOTA_S,
    )
  if (unfinished.ofSite >= quota.perSite) throw refuse('this site', quota.perSite)
  if (unfinished.ofOrganization >= quota.perOrganization) throw refuse('this organization', quota.perOrganization)
}

/** Starts an attempt of a job that this worker has a lease on. Returns undefined when the last attempt was the last. */
export function beginAttempt(deps: QueueDeps, lease: Lease<'id'>, workerId: string): Promise<JobRow | undefined> {
  return deps.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, lease.id)
    if (!job || job.claim !== lease.claim || job.resolved) return undefined
    if (job.status !== 'RUNNING' || job.retryCount <= job.maxAttempts) return startAttempt(trx, job.id, workerId)
    // Its lease expired during the last attempt, and the new lease has counted one more.
    const last = { ...job, retryCount: job.retryCount - 1 }
    await conclude(trx, deps, last, { kind: 'broken', reason: WORKER_DIED })
    return undefined
  })
}

/** Records how an attempt ended. Returns undefined, and changes nothing, when another worker has claimed the job. */
export async function settleJob(
  deps: QueueDeps,
  claim: JobClaim,
  ending: Ending,
  progress?: JobProgress | null,
): Promise<Verdict | undefined> {
  return deps.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, claim.id)
    if (!job || job.claim !== claim.claim || job.status !== 'RUNNING') return undefined
    return conclude(trx, deps, job, ending, progress)
  })
}

async function conclude(
  trx: Db,
  { kinds, retryDelayS, onResolved }: QueueDeps,
  job: JobRow,
  reported: Ending,
  progress?: JobProgress | null,
): Promise<Verdict> {
  const isFailure = reported.kind === 'failed' || reported.kind === 'broken'
  const finished = isFailure ? await kinds[job.name].findFinished?.(trx, job) : undefined
  const ending: Ending = finished ? { kind: 'done', output: finished } : reported
  const brokenMessage = ending.kind === 'broken' ? await kinds[job.name].describeBroken(trx, job, ending) : ''
  const verdict = judgeEnding(job, ending, { brokenMessage, retryDelayS })
  await saveVerdict(trx, job.id, verdict, progress)
  if (verdict.resolved) await onResolved?.(trx, job, verdict)
  return verdict
}
