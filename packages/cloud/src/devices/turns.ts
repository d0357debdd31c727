import { Failure } from '@plantroom/contract/failure'

const UNDER_WAY = 32
const WAITING = 256

/** A bound on what is asked of one device at once: some commands are under way, some wait, the rest are refused. */
export interface Turns {
  /** Runs `work` when it is this device's turn. */
  take<Result>(deviceId: string, work: () => Promise<Result>): Promise<Result>
}

interface Queue {
  underWay: number
  waiting: (() => void)[]
}

export function createTurns(): Turns {
  const queues = new Map<string, Queue>()

  return {
    async take(deviceId, work) {
      const queue = queues.get(deviceId) ?? { underWay: 0, waiting: [] }
      queues.set(deviceId, queue)
      if (queue.underWay < UNDER_WAY) {
        queue.underWay += 1
      } else {
        if (queue.waiting.length >= WAITING) {
          throw new Failure(
            'offline',
            `the device is busy: ${UNDER_WAY + WAITING} commands are before this one; retry with backoff`,
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
          if (queue.underWay === 0) queues.delete(deviceId)
        }
      }
    },
  }
}
