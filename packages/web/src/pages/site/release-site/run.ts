import { ApiError } from '@plantroom/client/http'
import type { ControllerPlan, PlannedRelease } from './plan.ts'

/** How far the release of one controller is. */
export interface ControllerProgress {
  plan: ControllerPlan
  done: number
  /** What was not released, and why. */
  failed: readonly { release: PlannedRelease; error: Error }[]
  isOver: boolean
}

export const notStarted = (plan: ControllerPlan): ControllerProgress => ({ plan, done: 0, failed: [], isOver: false })

type Cancel = (deviceId: string, overrideId: string) => Promise<void>

/** As many controllers at once as a browser has connections to spare. */
const AT_ONCE = 3

/** Releases everything that is planned, controller by controller, and reports every step. Never rejects. */
export async function runRelease(
  plans: readonly ControllerPlan[],
  cancel: Cancel,
  onProgress: (progress: ControllerProgress) => void,
): Promise<void> {
  const waiting = [...plans]
  const work = async () => {
    for (let plan = waiting.shift(); plan; plan = waiting.shift()) await releaseOne(plan, cancel, onProgress)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function releaseOne(
  plan: ControllerPlan,
  cancel: Cancel,
  onProgress: (progress: ControllerProgress) => void,
): Promise<void> {
  let progress = notStarted(plan)
  let unreachable: Error | undefined
  for (const release of plan.releases) {
    const error = unreachable ?? (await cancelAll(plan.deviceId, release, cancel))
    // Each further attempt would take as long as the timeout: the rest of this controller waits for a second try.
    if (error && !isRefusal(error)) unreachable = error
    progress = error
      ? { ...progress, failed: [...progress.failed, { release, error }] }
      : { ...progress, done: progress.done + 1 }
    onProgress(progress)
  }
  onProgress({ ...progress, isOver: true })
}

async function cancelAll(deviceId: string, release: PlannedRelease, cancel: Cancel): Promise<Error | undefined> {
  try {
    for (const id of release.overrideIds) await cancel(deviceId, id)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const isRefusal = (error: Error) => error instanceof ApiError && error.status < 500

/** What is left to try again. */
export function remaining(all: readonly ControllerProgress[]): ControllerPlan[] {
  return all
    .filter(({ failed }) => failed.length > 0)
    .map(({ plan, failed }) => ({ ...plan, releases: failed.map(({ release }) => release) }))
}
