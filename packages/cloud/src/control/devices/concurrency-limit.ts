import { Failure } from '@plantroom/contract/failure'

/** Limits concurrent work per key: some runs, some is queued, the rest is rejected. */
export interface ConcurrencyLimit {
  /** Runs `work` as soon as a slot for `key` is free. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>
}

interface Limits {
  running: number
  queued: number
}

interface Queue {
  running: number
  queued: (() => void)[]
}

/** `busy` begins the message of a rejection. */
export function createConcurrencyLimit(limits: Limits, busy = 'the device is busy'): ConcurrencyLimit {
  const queues = new Map<string, Queue>()

  function start<Result>(key: string, queue: Queue, work: () => Promise<Result>): Promise<Result> {
    const end = () => finish(key, queue)
    try {
      const result = work()
      result.then(end, end)
      return result
    } catch (error) {
      end()
      return Promise.reject(error)
    }
  }

  function finish(key: string, queue: Queue): void {
    // The next in the queue takes over this slot, so the count stays the same.
    const next = queue.queued.shift()
    if (next) next()
    else queue.running -= 1
    if (queue.running === 0) queues.delete(key)
  }

  return {
    run(key, work) {
      const queue = queues.get(key) ?? { running: 0, queued: [] }
      queues.set(key, queue)
      if (queue.running < limits.running) {
        queue.running += 1
        return start(key, queue, work)
      }
      if (queue.queued.length >= limits.queued) {
        const ahead = limits.running + limits.queued
        const message = `${busy}: ${ahead} commands are ahead of this one; retry with backoff`
        return Promise.reject(new Failure('offline', message))
      }
      return new Promise((resolve) => {
        queue.queued.push(() => resolve(start(key, queue, work)))
      })
    },
  }
}
