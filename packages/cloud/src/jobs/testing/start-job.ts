import type { Db } from '../../db/database.ts'
import { type NewJob, startAttempt } from '../claim-store.ts'
import type { JobKinds, JobRow } from '../job.ts'
import { acceptJob } from '../queue.ts'

/** Accepts a job and starts its first attempt, whatever else is due. */
export async function startJob(deps: { db: Db; kinds: JobKinds }, job: NewJob): Promise<JobRow> {
  return nextAttempt(deps.db, await acceptJob(deps, job))
}

/** Starts the next attempt of a job, as a worker does whose predecessor died. */
export function nextAttempt(db: Db, id: string): Promise<JobRow> {
  return startAttempt(db, id, 'worker_test')
}
