import { sleep } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { JOB_NAMES, type JobName } from '@plantroom/contract/jobs'
import type { ChangeFeed } from '../db/change-feed.ts'
import { type AttemptDeps, type AttemptSettings, runAttempt } from './attempt.ts'
import { claimNext } from './queue.ts'

export interface WorkerSettings extends AttemptSettings {
  /** How often an idle worker looks for jobs that became due, or whose lease expired. */
  pollMs: number
}

export const WORKER_SETTINGS: WorkerSettings = {
  pollMs: 1_000,
  heartbeatMs: 2_000,
  retryMs: 1_000,
  graceMs: 8_000,
}

interface WorkerDeps extends AttemptDeps {
  /** Wakes an idle worker as soon as a job is accepted or returned. Without it, the worker polls. */
  feed?: Pick<ChangeFeed, 'follow'>
  settings: WorkerSettings
}

export interface Worker {
  /** Number of jobs running now. */
  readonly running: number
  /** Claims no more jobs and returns the running ones to the queue without counting an attempt. */
  stop(): Promise<void>
}

/**
 * Runs one job of each kind at a time, so that a preview never waits for an hour-long import. To run more at once, start
 * more workers.
 */
export function startWorker(deps: WorkerDeps): Worker {
  const { clock, log, settings } = deps
  const workerId = newId('worker')
  const stopping = new AbortController()
  const { signal } = stopping
  const idle = new Set<() => void>()
  let running = 0
  let wakes = 0

  function wake() {
    wakes += 1
    for (const resume of idle) resume()
  }

  function waitForWork(wakesSeen: number): Promise<void> {
    return new Promise((resolve) => {
      // A job that was accepted during the last look would otherwise wait for the next poll.
      if (signal.aborted || wakes !== wakesSeen) return resolve()
      const resume = () => {
        cancel()
        idle.delete(resume)
        resolve()
      }
      const cancel = clock.after(settings.pollMs, resume)
      idle.add(resume)
    })
  }

  async function serve(name: JobName): Promise<void> {
    while (!signal.aborted) {
      const wakesSeen = wakes
      try {
        const job = await claimNext(deps, name, workerId)
        if (job) {
          running += 1
          await runAttempt(deps, job, signal).finally(() => {
            running -= 1
          })
          continue
        }
      } catch (error) {
        log.warn({ kind: name, error: (error as Error).message }, 'could not look for jobs; retrying')
        await sleep(clock, settings.retryMs, signal)
        continue
      }
      await waitForWork(wakesSeen)
    }
  }

  deps.feed?.follow('job', { changed: wake, missed: wake })
  const served = JOB_NAMES.map(serve)
  return {
    get running() {
      return running
    },
    async stop() {
      stopping.abort()
      wake()
      await Promise.all(served)
    },
  }
}
