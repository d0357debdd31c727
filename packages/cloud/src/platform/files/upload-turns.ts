import { createFairQueue } from '@plantroom/base/fair-queue'

/** Runs a step of an upload, for example a write, when it is the turn of the upload. */
export type UploadTurn = <Result>(step: () => Promise<Result>) => Promise<Result>

/**
 * Makes the uploads of an organization take turns, so that any number of them costs this process and the disk as much as one.
 * After each step the process serves everything else. Each upload waits with one step at most.
 */
export function createUploadTurns(): (organizationId: string) => UploadTurn {
  const queue = createFairQueue({ atOncePerGroup: 1, waitingPerGroup: Infinity }, () => new Error('has no bound'))
  return (organizationId) => (step) =>
    queue.run(organizationId, async () => {
      try {
        return await step()
      } finally {
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
}
