import { currentCorrelation } from '@plantroom/base/correlation'
import { createFairQueue } from '@plantroom/base/fair-queue'
import type pg from 'pg'

/** What does not belong to a request of an organization. */
const OWN_WORK = ''

/**
 * Makes organizations take turns when all connections are in use. What an organization does at once may wait for itself, for
 * example for the head of its activity log: its next hundred transactions must not come before one of somebody else.
 */
export function createConnectionTurns({ max, timeoutMs }: { max: number; timeoutMs: number }) {
  const queue = createFairQueue({ atOnce: max, waitingPerGroup: Infinity }, () => new Error('has no bound'))
  let inUse = 0

  /** Resolves with a connection when it is the turn of the organization that the work belongs to. */
  return function take(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    const { organizationId = OWN_WORK } = currentCorrelation()
    const deadline = inUse < max ? undefined : AbortSignal.timeout(timeoutMs)
    return new Promise((resolve, reject) => {
      const use = async () => {
        inUse += 1
        try {
          const client = await connect()
          await new Promise<void>((released) => resolve(releasing(client, released)))
        } finally {
          inUse -= 1
        }
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
