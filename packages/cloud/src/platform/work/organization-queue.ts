import { createFairQueue, type FairQueue, type FairQueueLimits } from '@plantroom/base/fair-queue'
import { Failure, quotaReached } from '@plantroom/contract/failure'

const RETRY_S = 60

/** What takes long is done for each organization in turn. `what` waits: for example, `files to be commissioned`. */
export function createOrganizationQueue(what: string, limits: FairQueueLimits): FairQueue {
  const { waitingPerGroup } = limits
  return createFairQueue(limits, (full) =>
    full === 'group'
      ? quotaReached(`${waitingPerGroup} ${what} of this organization wait: try again in a minute`, RETRY_S)
      : new Failure('unavailable', `too many ${what} wait: try again in a minute`, undefined, { retryAfterS: RETRY_S }),
  )
}
