import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { runProgram } from '@plantroom/base/program'
import { openDatabase } from '../../db/database.ts'
import { startTestWorker } from './start-test-worker.ts'

/** A worker in a separate process, for tests that kill it. */
await runProgram({
  name: 'test-worker',
  usage: '',
  async start() {
    const log = createLog('test', 'silent')
    const db = openDatabase({ connectionString: process.env.DATABASE_URL ?? '' }, log)
    const worker = startTestWorker({ db, log, clock: systemClock })
    return {
      ready: {},
      async stop() {
        await worker.stop()
        await db.destroy()
      },
    }
  },
})
