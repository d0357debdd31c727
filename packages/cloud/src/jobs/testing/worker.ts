import { join } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../../db/database.ts'
import { type ChildSettings, LIMIT_MS, startChild } from '../child.ts'
import type { JobQueue } from '../queue.ts'
import { startWorker, type Worker, type WorkerSettings } from '../worker.ts'

const QUICK: WorkerSettings = {
  pollMs: 20,
  touchMs: 200,
  progressMs: 50,
  againMs: 20,
  graceMs: 5_000,
  takeBackMs: 100,
  sweepMs: 500,
}

/** A worker that waits for nothing, with children that run the handlers of the tests. */
export function startTestWorker(
  deps: { db: Db; queue: JobQueue; log: Log; clock: Clock },
  changes: { retryDelayS?: number; settings?: Partial<WorkerSettings>; child?: Partial<ChildSettings> } = {},
): Worker {
  const { clock } = deps
  const child: ChildSettings = {
    program: join(import.meta.dirname, 'run-test-job.ts'),
    heapMb: 64,
    laterHeapMb: 64,
    limitMs: LIMIT_MS,
    ...changes.child,
  }
  return startWorker({
    ...deps,
    retryDelayS: changes.retryDelayS ?? 0,
    settings: { ...QUICK, ...changes.settings },
    start: (job) => startChild(job, child, clock),
  })
}
