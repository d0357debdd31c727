import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { runProgram } from '@plantroom/base/program'
import { openDatabase } from '../../db/database.ts'
import { openJobQueue } from '../queue.ts'
import { startTestWorker } from './worker.ts'

/** A whole worker in a process of its own, for tests that kill it. */
await runProgram({
  name: 'test-worker',
  usage: '',
  async start() {
    const log = createLog('test', 'silent')
    const address = { connectionString: process.env.DATABASE_URL ?? '' }
    const db = openDatabase(address, log)
    const queue = await openJobQueue({ address, connections: 2, log })
    const worker = startTestWorker({ db, queue, log, clock: systemClock })
    return {
      ready: {},
      async stop() {
        await worker.stop()
        await queue.close()
        await db.destroy()
      },
    }
  },
})
