import { Failure } from '@plantroom/contract/failure'

/** A bound on what is done at once for one key: some is under way, some waits, the rest is refused. */
export interface Turns {
  /** Runs `work` when it is its turn. */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>
}

export interface TurnLimits {
  underWay: number
  waiting: number
}

interface Queue {
  underWay: number
  waiting: (() => void)[]
}

export function createTurns(limits: TurnLimits): Turns {
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
    // Whoever finishes hands its place on, so the count stays as it is.
    const next = queue.waiting.shift()
    if (next) next()
    else queue.underWay -= 1
    if (queue.underWay === 0) queues.delete(key)
  }

  return {
    take(key, work) {
      const queue = queues.get(key) ?? { underWay: 0, waiting: [] }
      queues.set(key, queue)
      if (queue.underWay < limits.underWay) {
        queue.underWay += 1
        return start(key, queue, work)
      }
      if (queue.waiting.length >= limits.waiting) {
        const before = limits.underWay + limits.waiting
        const message = `the device is busy: ${before} commands are before this one; retry with backoff`
        return Promise.reject(new Failure('offline', message))
      }
      return new Promise((resolve) => {
        queue.waiting.push(() => resolve(start(key, queue, work)))
      })
    },
  }
}
