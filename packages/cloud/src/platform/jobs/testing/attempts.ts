import type { JobName } from '@plantroom/contract/jobs'
import type { Db } from '../../db/database.ts'
import { type NewJob, startAttempt } from '../claim-store.ts'
import type { Ending } from '../ending.ts'
import type { JobKinds, JobOutput, JobRow } from '../job.ts'
import { acceptJob, claimNext, settleJob } from '../queue.ts'

export type { Ending, JobOutput }

const UNLIMITED = { perSite: 1_000_000, perOrganization: 1_000_000 }

/** Accepts a job and starts its first attempt, whatever else is due. */
export async function startJob(deps: { db: Db; kinds: JobKinds }, job: NewJob): Promise<JobRow> {
  return nextAttempt(deps.db, await acceptJob({ ...deps, quota: UNLIMITED }, job))
}

/** Starts the next attempt of a job, as a worker does whose predecessor died. */
export function nextAttempt(db: Db, id: string): Promise<JobRow> {
  return startAttempt(db, id, 'worker_test')
}

/** Claims the next due job of a kind, ends it, and returns its id. */
export async function endNextJob(deps: { db: Db; kinds: JobKinds }, name: JobName, ending: Ending): Promise<string> {
  const queue = { ...deps, retryDelayS: 0 }
  const job = await claimNext(queue, name, 'worker_test')
  if (!job) throw new Error(`no ${name} is due`)
  await settleJob(queue, job, ending)
  return job.id
}
