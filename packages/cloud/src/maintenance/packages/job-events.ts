import type { Clock } from '@plantroom/base/clock'
import type { NamedJob } from '@plantroom/contract/jobs'
import type { JobStore } from '../../platform/jobs/index.ts'

const LOOK_MS = 1_000

/** Receives the job at every look, changed or not; undefined once the job is gone. */
type JobFollower = (job: NamedJob | undefined) => void

/** Watches jobs in the database, whichever process runs them. */
export interface JobEvents {
  /** Calls the follower once a second until the returned function is called. */
  follow(siteId: string, jobId: string, follower: JobFollower): () => void
}

interface Followed {
  followers: Set<JobFollower>
  /** Cancels the next look. */
  cancel(): void
}

/** Reads each followed job once a second, however many followers it has. */
export function createJobEvents(deps: { store: Pick<JobStore, 'find'>; clock: Clock }): JobEvents {
  const { store, clock } = deps
  const followed = new Map<string, Followed>()

  function lookLater(siteId: string, jobId: string, of: Followed): void {
    of.cancel = clock.after(LOOK_MS, () => void look(siteId, jobId, of))
  }

  async function look(siteId: string, jobId: string, of: Followed): Promise<void> {
    // When the database is unavailable, the next look tries again.
    const found = await store.find(siteId, jobId).then(
      (job) => ({ job }),
      () => undefined,
    )
    if (found) for (const follower of [...of.followers]) follower(found.job)
    // Scheduled after the answer, so that queries do not pile up on a slow database.
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
