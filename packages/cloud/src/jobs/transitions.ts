import { newId } from '@plantroom/base/ids'
import type { JobProgress } from '@plantroom/contract/jobs'
import type { Db } from '../db/database.ts'
import {
  addJob,
  findJob,
  firstImport,
  jobsWhoseTurnItIs,
  lockJob,
  lockSite,
  type NewJob,
  reachOf,
  saveProgress,
  saveVerdict,
  startAttempt,
} from './claim-store.ts'
import { type Ending, judgeEnding, type Verdict, WORKER_DIED } from './ending.ts'
import { type JobRow, MAX_ATTEMPTS } from './job.ts'
import type { JobQueue, Message } from './queue.ts'

export interface TransitionDeps {
  db: Db
  queue: Pick<JobQueue, 'send' | 'end'>
  /** Between a failed attempt and the next. */
  retryDelayS: number
}

/** Accepts a job: from here on it runs, and ends resolved, whoever dies. */
export async function acceptJob(
  deps: Pick<TransitionDeps, 'db' | 'queue'>,
  job: Omit<NewJob, 'maxAttempts'>,
): Promise<string> {
  const { db, queue } = deps
  return db.transaction().execute(async (trx) => {
    await lockSite(trx, job.siteId)
    const added = await addJob(trx, newId('job'), { ...job, maxAttempts: MAX_ATTEMPTS[job.name] })
    // Only the first import of a site is in the queue: the one before sends the next.
    if (await hasTurn(trx, added)) await queue.send(trx, added)
    return added.id
  })
}

/** Begins an attempt. Undefined when there is nothing to run: the message is then dealt with. */
export async function claimJob(deps: TransitionDeps, message: Message): Promise<JobRow | undefined> {
  const { db, queue } = deps
  return db.transaction().execute(async (trx) => {
    const job = await lockWithSite(trx, message.jobId)
    const isTurn = job && !job.resolved && (await hasTurn(trx, job))
    if (!isTurn) {
      await queue.end(trx, message)
      return undefined
    }
    // Somebody began it and never said how it ended.
    if (job.status === 'RUNNING' && job.retryCount >= job.maxAttempts) {
      await conclude(trx, deps, message, job, { kind: 'broken', reason: WORKER_DIED })
      return undefined
    }
    return startAttempt(trx, job.id)
  })
}

/** Says how an attempt ended. Undefined when the job is another's by now: then nothing is changed. */
export async function settleJob(
  deps: TransitionDeps,
  message: Message,
  held: Pick<JobRow, 'id' | 'claim'>,
  ending: Ending,
): Promise<Verdict | undefined> {
  return deps.db.transaction().execute(async (trx) => {
    const job = await lockWithSite(trx, held.id)
    if (!job || job.claim !== held.claim || job.status !== 'RUNNING') return undefined
    return conclude(trx, deps, message, job, ending)
  })
}

/** False when the job is another's by now. */
export function reportProgress(
  deps: Pick<TransitionDeps, 'db'>,
  held: Pick<JobRow, 'id' | 'claim'>,
  progress: JobProgress | null,
): Promise<boolean> {
  return saveProgress(deps.db, held, progress)
}

/** Puts into the queue what should be there and is not, for whatever reason. */
export async function sweepJobs({ db, queue }: Pick<TransitionDeps, 'db' | 'queue'>): Promise<void> {
  for (const job of await jobsWhoseTurnItIs(db)) await queue.send(db, job)
}

async function conclude(
  trx: Db,
  { queue, retryDelayS }: TransitionDeps,
  message: Message,
  job: JobRow,
  ending: Ending,
): Promise<Verdict> {
  const reach = await reachOf(trx, job)
  const verdict = judgeEnding(job, ending, { reach, retryDelayS })
  await saveVerdict(trx, job.id, verdict)
  await queue.end(trx, message)
  if (verdict.againInS !== undefined) await queue.send(trx, job, verdict.againInS)
  else if (job.name === 'TICKET_IMPORT') {
    const next = await firstImport(trx, job.siteId)
    if (next) await queue.send(trx, next)
  }
  return verdict
}

/** In this order everywhere, so that no two wait for each other. */
async function lockWithSite(trx: Db, id: string): Promise<JobRow | undefined> {
  const found = await findJob(trx, id)
  if (!found) return undefined
  await lockSite(trx, found.siteId)
  return lockJob(trx, id)
}

async function hasTurn(trx: Db, job: JobRow): Promise<boolean> {
  return job.name !== 'TICKET_IMPORT' || (await firstImport(trx, job.siteId))?.id === job.id
}
