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

  return {
    async take(key, work) {
      const queue = queues.get(key) ?? { underWay: 0, waiting: [] }
      queues.set(key, queue)
      if (queue.underWay < limits.underWay) {
        queue.underWay += 1
      } else {
        if (queue.waiting.length >= limits.waiting) {
          throw new Failure(
            'offline',
            `the device is busy: ${limits.underWay + limits.waiting} commands are before this one; retry with backoff`,
          )
        }
        // Whoever finishes hands its place on, so the count stays as it is.
        await new Promise<void>((resolve) => queue.waiting.push(resolve))
      }
      try {
        return await work()
      } finally {
        const next = queue.waiting.shift()
        if (next) next()
        else {
          queue.underWay -= 1
          if (queue.underWay === 0) queues.delete(key)
        }
      }
    },
  }
}
