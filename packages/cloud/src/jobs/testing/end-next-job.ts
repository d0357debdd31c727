import type { JobName } from '@plantroom/contract/jobs'
import type { Db } from '../../db/database.ts'
import type { Ending } from '../ending.ts'
import type { JobKinds, JobOutput } from '../job.ts'
import { claimNext, settleJob } from '../queue.ts'

export type { Ending, JobOutput }

/** Claims the next due job of a kind, ends it, and returns its id. */
export async function endNextJob(deps: { db: Db; kinds: JobKinds }, name: JobName, ending: Ending): Promise<string> {
  const queue = { ...deps, retryDelayS: 0 }
  const job = await claimNext(queue, name, 'worker_test')
  if (!job) throw new Error(`no ${name} is due`)
  await settleJob(queue, job, ending)
  return job.id
}
