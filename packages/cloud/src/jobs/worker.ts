import { every, sleep } from '@plantroom/base/clock'
import { JOB_NAMES, type JobName } from '@plantroom/contract/jobs'
import { type AttemptDeps, type AttemptSettings, runAttempt } from './attempt.ts'
import { sweepJobs } from './transitions.ts'

export interface WorkerSettings extends AttemptSettings {
  /** How often an idle worker looks for work. */
  pollMs: number
  /** How often it looks for what dead workers have left. */
  takeBackMs: number
  /** How often it looks for jobs that are not in the queue and should be. */
  sweepMs: number
}

export const WORKER_SETTINGS: WorkerSettings = {
  pollMs: 1_000,
  touchMs: 2_000,
  progressMs: 1_500,
  againMs: 1_000,
  graceMs: 8_000,
  takeBackMs: 5_000,
  sweepMs: 30_000,
}

export interface Worker {
  /** How many jobs run in it now. */
  readonly running: number
  /** Takes no more; those that run are given back, and go on elsewhere. */
  stop(): Promise<void>
}

/** One job of each kind at a time: a preview does not wait for an import of an hour. More at once takes more workers. */
export function startWorker(deps: AttemptDeps & { settings: WorkerSettings }): Worker {
  const { queue, clock, log, settings } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  let running = 0

  async function serve(name: JobName): Promise<void> {
    while (!signal.aborted) {
      try {
        const message = await queue.take(name)
        if (message) {
          running += 1
          await runAttempt(deps, message, signal).finally(() => {
            running -= 1
          })
          continue
        }
      } catch (error) {
        log.warn({ kind: name, error: (error as Error).message }, 'could not look for jobs; trying again')
      }
      await sleep(clock, settings.pollMs, signal)
    }
  }

  const regularly = (ms: number, what: string, action: () => Promise<void>) => {
    let underWay: Promise<void> | undefined
    const run = () => {
      underWay ??= action()
        .catch((error: Error) => log.warn({ error: error.message }, what))
        .finally(() => {
          underWay = undefined
        })
    }
    run()
    const end = every(clock, ms, run)
    return async () => {
      end()
      await underWay
    }
  }

  const endTakingBack = regularly(settings.takeBackMs, 'could not look for dead workers', queue.takeBack)
  const endSweeping = regularly(settings.sweepMs, 'could not look for lost jobs', () => sweepJobs(deps))
  const served = JOB_NAMES.map(serve)
  return {
    get running() {
      return running
    },
    async stop() {
      stopping.abort()
      await Promise.all([endTakingBack(), endSweeping(), ...served])
    },
  }
}
