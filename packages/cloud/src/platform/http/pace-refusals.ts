import type { Clock } from '@plantroom/base/clock'
import { createFairQueue } from '@plantroom/base/fair-queue'
import type { FastifyRequest } from 'fastify'
import { callerNetwork } from '../routes/index.ts'

/** How long a refusal keeps its place: a network gets a hundred of them in a second. */
const PLACE_MS = 100
const PLACES_PER_NETWORK = 10
/**
 * As many as a network, and all of them together, may have connections by default. More are answered immediately, so that waiting
 * callers take a bounded amount of memory.
 */
const MOST_WAITING = { waiting: 5_000, waitingPerGroup: 500 }

/** Resolves when the refusal of this request may be sent. */
export type RefusalPace = (request: FastifyRequest) => Promise<void>

/**
 * Lets a network that ignores `Retry-After` wait for its refusals, because they take time from everyone else. The first ten are
 * never delayed.
 */
export function paceRefusals(clock: Clock): RefusalPace {
  const queue = createFairQueue(
    { atOncePerGroup: PLACES_PER_NETWORK, ...MOST_WAITING },
    () => new Error('too many refusals wait'),
  )
  return ({ ip, socket }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const keepPlace = async () => {
      resolve()
      await new Promise<void>((pass) => clock.after(PLACE_MS, pass))
    }
    queue.run(callerNetwork(ip, socket.remoteAddress), keepPlace).catch(resolve)
    return promise
  }
}
