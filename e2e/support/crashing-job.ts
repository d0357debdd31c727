import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { readConfig } from '@plantroom/cloud/config'
import type { Db } from '@plantroom/cloud/db/database'
import { type JobRow, runJobProcess } from '@plantroom/cloud/jobs'
import type { ImportPoint } from '@plantroom/cloud/packages'
import { openJobHandlers } from '@plantroom/cloud/wire/job-process'
import { eventually } from './eventually.ts'
import { BATCH, type Crash, crashOf } from './import-crash.ts'
import { pausedFile } from './import-pause.ts'
import { expireLease } from './job-lease.ts'

/** Runs one job in a child process. An import crashes at the points that the name of its package lists. */
const config = readConfig()
const log = createLog('job', config.logLevel)
const PAUSE_LIMIT_MS = 600_000

async function interrupt({ end }: Crash, job: JobRow, db: Db): Promise<void> {
  if (end === 'pause') return await pause(job)
  if (end !== 'child') {
    // Stopped first, so that it cannot renew the lease.
    process.kill(process.ppid, 'SIGSTOP')
    await expireLease(db, job.id)
    process.kill(process.ppid, 'SIGKILL')
  }
  if (end !== 'worker') process.kill(process.pid, 'SIGKILL')
}

async function pause(job: JobRow): Promise<void> {
  const file = pausedFile(config.folder, job.siteId)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ worker: process.ppid, child: process.pid }))
  await eventually(() => {
    if (existsSync(file)) throw new Error('the test has not resumed the import')
  }, PAUSE_LIMIT_MS)
}

await runJobProcess({
  clock: systemClock,
  async open(signal) {
    let reached: (point: ImportPoint) => void | Promise<void> = () => {}
    const { db, handlers } = await openJobHandlers(config, log, signal, {
      reached: (point) => reached(point),
      batchRequests: BATCH,
    })
    return {
      db,
      handlers: {
        ...handlers,
        TICKET_IMPORT(tools) {
          const { job } = tools
          const crash = crashOf(job.filename, job.retryCount)
          let left = crash?.nth ?? 0
          if (crash?.at === 'after') systemClock.after(crash.nth, () => void interrupt(crash, job, db))
          reached = async (point) => {
            if (!crash || point !== crash.at) return
            left -= 1
            if (left === 0) await interrupt(crash, job, db)
          }
          return handlers.TICKET_IMPORT(tools)
        },
      },
    }
  },
})
