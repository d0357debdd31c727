import { type Clock, sleep } from '@plantroom/base/clock'
import { ApiError } from '@plantroom/client/http'
import type { PackageClient } from '@plantroom/client/packages'
import type { Job } from '@plantroom/contract/jobs'

const FIRST_MS = 250
const GROWTH = 1.5
const LONGEST_MS = 5000
/** How long the service may be away, such as for a restart, before we stop asking. The job does not notice. */
const PATIENCE_MS = 60_000

/** Asks until the job is resolved, less and less often; `onUpdate` is told what each look has found. */
export async function followJob(
  deps: { packages: Pick<PackageClient, 'job'>; clock: Clock; onUpdate(job: Job): void },
  jobId: string,
): Promise<Job> {
  const { packages, clock, onUpdate } = deps
  let seenAt = clock.monotonic()
  for (let wait = FIRST_MS; ; wait = Math.min(LONGEST_MS, wait * GROWTH)) {
    try {
      const job = await packages.job(jobId)
      seenAt = clock.monotonic()
      onUpdate(job)
      if (job.resolved) return job
    } catch (error) {
      if (!isPassing(error)) throw error
      if (clock.monotonic() - seenAt > PATIENCE_MS)
        throw new Error(`${(error as Error).message}. The job goes on without us: ${followCommand(jobId)}`)
    }
    await sleep(clock, wait)
  }
}

/** The service is away or in trouble, which says nothing about the job. */
function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500
}

export const followCommand = (jobId: string) => `plantroom package job ${jobId}`

/** How far a job is, for a bar. A wait is none of its length. */
export function progressOf({ status, progress, retryCount, maxAttempts }: Job): {
  label: string
  done: number
  total: number
} {
  if (status === 'ERROR')
    return { label: `attempt ${retryCount} of ${maxAttempts} failed, trying again in a minute`, done: 0, total: 0 }
  if (status === 'SCHEDULED' || !progress) return { label: 'waiting', done: 0, total: 0 }
  const again = retryCount > 1 ? ` (attempt ${retryCount} of ${maxAttempts})` : ''
  return { label: `${progress.stage}${again}`, done: progress.done, total: progress.total }
}
