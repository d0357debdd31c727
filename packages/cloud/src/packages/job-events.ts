import type { Clock } from '@plantroom/base/clock'
import type { NamedJob } from '@plantroom/contract/jobs'
import type { JobStore } from '../jobs/index.ts'

const LOOK_MS = 1_000

/** Is given the job as it stands at every look, changed or not; `undefined` once there is none. */
export type JobFollower = (job: NamedJob | undefined) => void

/** Follows jobs where they are kept, as whatever process runs them writes them. */
export interface JobEvents {
  /** The first look is a second from now, or at the next one that others wait for. The returned function ends it. */
  follow(siteId: string, jobId: string, follower: JobFollower): () => void
}

interface Followed {
  followers: Set<JobFollower>
  /** Calls the next look off. */
  cancel(): void
}

/** One look a second for each job that is followed, however many follow it; none for the others. */
export function createJobEvents(deps: { store: Pick<JobStore, 'find'>; clock: Clock }): JobEvents {
  const { store, clock } = deps
  const followed = new Map<string, Followed>()

  function lookLater(siteId: string, jobId: string, of: Followed): void {
    of.cancel = clock.after(LOOK_MS, () => void look(siteId, jobId, of))
  }

  async function look(siteId: string, jobId: string, of: Followed): Promise<void> {
    // A database that is away for a moment is asked again at the next look.
    const found = await store.find(siteId, jobId).then(
      (job) => ({ job }),
      () => undefined,
    )
    if (found) for (const follower of [...of.followers]) follower(found.job)
    // Only now, so that a slow database is not asked for more and more at once.
    if (of.followers.size > 0) lookLater(siteId, jobId, of)
  }

  return {
    follow(siteId, jobId, follower) {
      let of = followed.get(jobId)
      if (!of) {
        of = { followers: new Set(), cancel() {} }
        followed.set(jobId, of)
        lookLater(siteId, jobId, of)
      }
      const { followers } = of
      followers.add(follower)
      return () => {
        if (!followers.delete(follower) || followers.size > 0) return
        followed.get(jobId)?.cancel()
        followed.delete(jobId)
      }
    },
  }
}
