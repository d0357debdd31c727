import { join } from 'node:path'
import { runProgram } from '@plantroom/base/program'
import { readConfig } from '@plantroom/cloud/config'
import { WORKER_SETTINGS } from '@plantroom/cloud/jobs'
import { startWorkerProcess } from '@plantroom/cloud/wire/worker'

/** The worker, whose imports meet the fates that the names of their packages say. It looks for work more often. */
const parts = {
  jobProgram: join(import.meta.dirname, 'dying-job.ts'),
  settings: { ...WORKER_SETTINGS, pollMs: 100, heartbeatMs: 200 },
}
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(signal, () => stop.abort())

await runProgram({
  name: 'worker',
  usage: 'a worker whose jobs die',
  start: () => startWorkerProcess(readConfig(), stop.signal, parts),
})
