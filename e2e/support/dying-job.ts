import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { readConfig } from '@plantroom/cloud/config'
import type { Db } from '@plantroom/cloud/db/database'
import { type JobRow, runJobProcess } from '@plantroom/cloud/jobs'
import type { ImportPoint } from '@plantroom/cloud/packages'
import { openJobHandlers } from '@plantroom/cloud/wire/job-process'
import { eventually } from '@plantroom/testkit/eventually'
import { type Fate, fateOf } from './import-fate.ts'
import { heldFile } from './import-hold.ts'
import { expireLease } from './job-lease.ts'

/** The process of a job, in which an import meets the fate that the name of its package has for this attempt. */
const config = readConfig()
const log = createLog('job', config.logLevel)
const HELD_MS = 600_000

async function meet({ end }: Fate, job: JobRow, db: Db): Promise<void> {
  if (end === 'hold') return await hold(job)
  if (end !== 'child') {
    // Or it would say once more that it is there.
    process.kill(process.ppid, 'SIGSTOP')
    await expireLease(db, job.id)
    process.kill(process.ppid, 'SIGKILL')
  }
  if (end !== 'worker') process.kill(process.pid, 'SIGKILL')
}

async function hold(job: JobRow): Promise<void> {
  const file = heldFile(config.folder, job.siteId)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ worker: process.ppid, child: process.pid }))
  await eventually(() => {
    if (existsSync(file)) throw new Error('the test has not let go')
  }, HELD_MS)
}

await runJobProcess({
  clock: systemClock,
  async open(signal) {
    let reached: (point: ImportPoint) => void | Promise<void> = () => {}
    const { db, handlers } = await openJobHandlers(config, log, signal, (point) => reached(point))
    return {
      db,
      handlers: {
        ...handlers,
        TICKET_IMPORT(tools) {
          const { job } = tools
          const fate = fateOf(job.filename, job.retryCount)
          let left = fate?.nth ?? 0
          if (fate?.at === 'after') systemClock.after(fate.nth, () => void meet(fate, job, db))
          reached = async (point) => {
            if (!fate || point !== fate.at) return
            left -= 1
            if (left === 0) await meet(fate, job, db)
          }
          return handlers.TICKET_IMPORT(tools)
        },
      },
    }
  },
})
