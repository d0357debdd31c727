import { type Clock, sleep } from '@plantroom/base/clock'
import type { Client } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import type { Job } from '@plantroom/contract/jobs'
import type { SiteIds } from '../../clients.ts'

const FIRST_MS = 250
const GROWTH = 1.5
const LONGEST_MS = 5000
/** How long the service may be unavailable, for example during a restart. The job is not affected. */
const OUTAGE_LIMIT_MS = 60_000

/** Polls a job with a growing delay until it is resolved. Calls `onUpdate` with every state. */
export async function followJob(
  deps: { client: Pick<Client, 'getJob'>; clock: Clock; onUpdate(job: Job): void },
  followed: SiteIds & { jobId: string },
): Promise<Job> {
  const { client, clock, onUpdate } = deps
  let seenAt = clock.monotonic()
  for (let wait = FIRST_MS; ; wait = Math.min(LONGEST_MS, wait * GROWTH)) {
    try {
      const job = await client.getJob(followed)
      seenAt = clock.monotonic()
      onUpdate(job)
      if (job.resolved) return job
    } catch (error) {
      if (!isTemporary(error)) throw error
      if (clock.monotonic() - seenAt > OUTAGE_LIMIT_MS)
        throw new Error(
          `${(error as Error).message}. The job continues in the service; follow it with: ${followCommand(followed.jobId)}`,
        )
    }
    await sleep(clock, wait)
  }
}

/** True for errors of the connection or the service, which say nothing about the job. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500
}

export const followCommand = (jobId: string) => `plantroom package job ${jobId}`

/** Returns the progress of a job for the progress bar. Waiting has no progress. */
export function progressOf({ status, progress, retryCount, maxAttempts }: Job): {
  label: string
  done: number
  total: number
} {
  if (status === 'ERROR')
    return { label: `attempt ${retryCount} of ${maxAttempts} failed, retrying in a minute`, done: 0, total: 0 }
  if (status === 'SCHEDULED' || !progress) return { label: 'waiting', done: 0, total: 0 }
  const again = retryCount > 1 ? ` (attempt ${retryCount} of ${maxAttempts})` : ''
  return { label: `${progress.stage}${again}`, done: progress.done, total: progress.total }
}
