import { newId } from '@plantroom/base/ids'
import type { JobName, JobProgress } from '@plantroom/contract/jobs'
import type { Db } from '../db/database.ts'
import { addJob, lockJob, lockNextDue, lockSite, type NewJob, saveVerdict, startAttempt } from './claim-store.ts'
import { type Ending, judgeEnding, type Verdict, WORKER_DIED } from './ending.ts'
import type { JobClaim, JobKinds, JobRow } from './job.ts'

export interface QueueDeps {
  db: Db
  kinds: JobKinds
  /** Time between a failed attempt and the next. */
  retryDelayS: number
}

/** Accepts a job, due immediately. An accepted job always runs and ends resolved, whichever processes die. */
export async function acceptJob({ db, kinds }: Pick<QueueDeps, 'db' | 'kinds'>, job: NewJob): Promise<string> {
  const { maxAttempts, isOneAtATime } = kinds[job.name]
  const id = newId('job')
  await db.transaction().execute(async (trx) => {
    if (isOneAtATime) await lockSite(trx, job.siteId)
    await addJob(trx, id, { ...job, maxAttempts })
  })
  return id
}

/** Claims the next due job of a kind and starts an attempt. Returns undefined when no job is due. */
export async function claimNext(deps: QueueDeps, name: JobName, workerId: string): Promise<JobRow | undefined> {
  for (;;) {
    const next = await deps.db.transaction().execute(async (trx) => {
      const job = await lockNextDue(trx, name, deps.kinds[name])
      if (!job) return 'none'
      if (job.status !== 'RUNNING' || job.retryCount < job.maxAttempts) return startAttempt(trx, job.id, workerId)
      // Its lease expired during the last attempt.
      await conclude(trx, deps, job, { kind: 'broken', reason: WORKER_DIED })
      return 'concluded'
    })
    if (next === 'none') return undefined
    if (next !== 'concluded') return next
  }
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
  { kinds, retryDelayS }: QueueDeps,
  job: JobRow,
  ending: Ending,
  progress?: JobProgress | null,
): Promise<Verdict> {
  const brokenMessage = ending.kind === 'broken' ? await kinds[job.name].describeBroken(trx, job, ending.reason) : ''
  const verdict = judgeEnding(job, ending, { brokenMessage, retryDelayS })
  await saveVerdict(trx, job.id, verdict, progress)
  return verdict
}
