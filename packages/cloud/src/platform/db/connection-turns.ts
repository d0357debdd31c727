import { currentCorrelation } from '@plantroom/base/correlation'
import { createFairQueue } from '@plantroom/base/fair-queue'
import type pg from 'pg'

/** What does not belong to a request of an organization. */
const OWN_WORK = ''
/** Of all connections, those that one organization may have. */
const SHARE = 1 / 4

/**
 * Makes organizations take turns, and leaves each its share. What an organization does at once may wait for itself, for
 * example for the head of its activity log: its next hundred transactions must not come before one of somebody else, nor
 * let the database work for them alone.
 */
export function createConnectionTurns({ max, timeoutMs }: { max: number; timeoutMs: number }) {
  const atOncePerGroup = (group: string) => (group === OWN_WORK ? max : Math.ceil(max * SHARE))
  const limits = { atOnce: max, atOncePerGroup, waitingPerGroup: Infinity }
  const queue = createFairQueue(limits, () => new Error('has no bound'))

  /** Resolves with a connection when it is the turn of the organization that the work belongs to. */
  return function take(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    const { organizationId = OWN_WORK } = currentCorrelation()
    const deadline = queue.hasPlace(organizationId) ? undefined : AbortSignal.timeout(timeoutMs)
    return new Promise((resolve, reject) => {
      const use = async () => {
        const client = await connect()
        await new Promise<void>((released) => resolve(releasing(client, released)))
      }
      queue.run(organizationId, use, deadline).catch((error: unknown) => {
        // The words of the pool, which waits no longer either.
        reject(deadline?.aborted ? new Error('timeout exceeded when trying to connect') : error)
      })
    })
  }
}

/** The pool sets `release` anew each time. */
function releasing(client: pg.PoolClient, released: () => void): pg.PoolClient {
  const release = client.release.bind(client)
  client.release = (error) => {
    release(error)
    released()
  }
  return client
}
