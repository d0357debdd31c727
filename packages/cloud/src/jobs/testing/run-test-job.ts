import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
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
    return {
      db,
      handlers: {
        PREVIEW_TICKET_IMPORT: handler,
        TICKET_IMPORT: handler,
        TICKET_EXPORT: handler,
        PREVIEW_TICKET_FILL: handler,
        TICKET_FILL: handler,
      },
    }
  },
})
