import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { JOB_NAMES, type JobName } from '@plantroom/contract/jobs'
import { openDatabase } from '../../db/database.ts'
import type { JobHandler } from '../job.ts'
import { runJobProcess } from '../run-job-process.ts'
import { runTestJob } from './test-handler.ts'

/** A job process whose handlers do what the file name of the job says. */
await runJobProcess({
  clock: systemClock,
  async open() {
    const db = openDatabase({ connectionString: process.env.DATABASE_URL ?? '' }, createLog('test', 'silent'))
    const handler: JobHandler = (tools) => runTestJob(db, tools)
    const handlers = Object.fromEntries(JOB_NAMES.map((name) => [name, handler])) as Record<JobName, JobHandler>
    return { db, handlers }
  },
})
