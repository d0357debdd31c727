import { join } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ChangeFeed } from '../../db/change-feed.ts'
import type { Db } from '../../db/database.ts'
import { type ProcessSettings, startJobProcess } from '../job-process.ts'
import { startWorker, type Worker, type WorkerSettings } from '../worker.ts'
import { TEST_KINDS } from './job-bench.ts'

const QUICK: WorkerSettings = {
  pollMs: 50,
  heartbeatMs: 200,
  retryMs: 50,
  graceMs: 5_000,
}

/** Starts a worker with short intervals whose job processes run the test handlers. */
export function startTestWorker(
  deps: { db: Db; log: Log; clock: Clock; feed?: Pick<ChangeFeed, 'follow'> },
  changes: { retryDelayS?: number; settings?: Partial<WorkerSettings>; process?: Partial<ProcessSettings> } = {},
): Worker {
  const { clock } = deps
  const settings: ProcessSettings = {
    program: join(import.meta.dirname, 'run-test-job.ts'),
    heapMb: 64,
    retryHeapMb: 64,
    kinds: TEST_KINDS,
    output: { write: () => {} },
    ...changes.process,
  }
  return startWorker({
    ...deps,
    kinds: settings.kinds,
    retryDelayS: changes.retryDelayS ?? 0,
    settings: { ...QUICK, ...changes.settings },
    startProcess: (job) => startJobProcess(job, settings, clock),
  })
}
