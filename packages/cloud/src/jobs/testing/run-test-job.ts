import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import type { ImportOutput } from '@plantroom/contract/jobs'
import { openDatabase } from '../../db/database.ts'
import type { JobHandler, JobTools } from '../job.ts'
import { runInChild } from '../run-in-child.ts'
import { testHandler } from './handlers.ts'

/** The process of a job, with handlers that do what the name of the package says. */
await runInChild({
  clock: systemClock,
  async open() {
    const db = openDatabase({ connectionString: process.env.DATABASE_URL ?? '' }, createLog('test', 'silent'))
    const handler: JobHandler = (tools: JobTools): Promise<ImportOutput> => testHandler(db, tools)
    return { db, handlers: { PREVIEW_TICKET_IMPORT: handler, TICKET_IMPORT: handler, TICKET_EXPORT: handler } }
  },
})
