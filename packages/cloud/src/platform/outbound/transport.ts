import type { Clock } from '@plantroom/base/clock'
import { createFairQueue, type FairQueue } from '@plantroom/base/fair-queue'
import { PLACES } from './bounds.ts'
import { type Answered, exchange, type Outgoing, StaleConnection } from './exchange.ts'
import type { Guard } from './guard.ts'
import { keepConnections } from './kept-connections.ts'
import { OutboundFailure, startTimes } from './times.ts'

/** The group of requests that the operator's settings cause. */
export const OPERATOR = 'operator'

/**
 * The only way out to addresses that people entered. Follows no redirect, decompresses nothing, keeps no connection unless
 * a request asks for it, and ends every request at its bounds.
 */
export interface Transport {
  /** Resolves with any answer, whatever its status. Rejects with a `RefusedAddress`, an `OutboundFailure` or an error of Node. */
  send(url: URL, outgoing: Outgoing): Promise<Answered>
}

/** The places of this process. */
export const openPlaces = () =>
  createFairQueue(
    {
      atOnce: PLACES.atOnce,
      // A group whose requests hang leaves half of the places to the others.
      atOncePerGroup: PLACES.atOnce / 2,
      waitingPerGroup: PLACES.waitingPerOrganization,
    },
    () => new OutboundFailure('EBUSY', 'too many requests of this organization wait: try again in some minutes'),
  )

/**
 * With a guard, connects only to addresses that it allows, which are looked up once for each request. Without one, to
 * addresses of the operator.
 */
export function createTransport({
  clock,
  places,
  guard,
}: {
  clock: Clock
  places: FairQueue
  guard?: Pick<Guard, 'resolve'> | undefined
}): Transport {
  const kept = keepConnections()

  async function sendNow(url: URL, outgoing: Outgoing): Promise<Answered> {
    const times = startTimes(clock, outgoing.bounds, outgoing.signal)
    try {
      const addresses = guard && (await Promise.race([guard.resolve(url), times.ended]))
      const way = { times, addresses }
      if (!outgoing.keepsConnection) return await exchange(url, outgoing, way)
      try {
        return await exchange(url, outgoing, { ...way, agent: kept.agentOf(url) })
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error
        return await exchange(url, outgoing, way)
      }
    } finally {
      times.stop()
    }
  }

  return {
    async send(url, outgoing) {
      const { group, body, signal } = outgoing
      try {
        return await places.run(group, () => sendNow(url, outgoing), signal)
      } catch (error) {
        if (typeof body === 'object' && 'destroy' in body) body.destroy()
        if (signal?.aborted) throw signal.reason
        throw error
      }
    },
  }
}
