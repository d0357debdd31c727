import { join } from 'node:path'
import { runProgram } from '@plantroom/base/program'
import { programFile } from '@plantroom/base/program-file'
import { readConfig } from '@plantroom/cloud/config'
import { WORKER_SETTINGS } from '@plantroom/cloud/jobs'
import { startWorkerProcess } from '@plantroom/cloud/wire/worker'

/** A worker whose imports crash as the names of their packages say. It polls for jobs more often than the real one. */
const parts = {
  jobProgram: programFile(join(import.meta.dirname, 'crashing-job.ts')),
  settings: { ...WORKER_SETTINGS, pollMs: 100, heartbeatMs: 200 },
}
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(signal, () => stop.abort())

await runProgram({
  name: 'worker',
  usage: 'a worker whose jobs crash',
  start: () => startWorkerProcess(readConfig(), stop.signal, parts),
})
