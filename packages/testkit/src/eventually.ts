import { sleep, systemClock } from '@plantroom/base/clock'

const DEADLINE_MS = 30_000
const SHORTEST_WAIT_MS = 10

/**
 * Waits in real time until `check` stops throwing and returns its result. At the deadline it throws the last error, so
 * a failed `expect` inside `check` fails the test. With a `longestWaitMs` it checks less often the longer it waits.
 */
export async function eventually<Result>(
  check: () => Result,
  deadlineMs = DEADLINE_MS,
  longestWaitMs = SHORTEST_WAIT_MS,
): Promise<Awaited<Result>> {
  const giveUpAt = systemClock.monotonic() + deadlineMs
  for (let waitMs = SHORTEST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, longestWaitMs)) {
    try {
      return await check()
    } catch (error) {
      if (systemClock.monotonic() > giveUpAt) throw error
      await sleep(systemClock, waitMs)
    }
  }
}
