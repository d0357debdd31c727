import { sleep, systemClock } from '@plantroom/base/clock'

const DEADLINE_MS = 10_000
const FIRST_WAIT_MS = 5
const LONGEST_WAIT_MS = 100

/**
 * Waits in real time until `check` stops throwing and returns its result. At the deadline it throws the last error, so
 * a failed `expect` inside `check` fails the test. The longer it waits, the less often it checks: a hundred checks a
 * second of several tests kept the machine busy and delayed what they waited for.
 */
export async function eventually<Result>(
  check: () => Result,
  deadlineMs = DEADLINE_MS,
  longestWaitMs = LONGEST_WAIT_MS,
): Promise<Awaited<Result>> {
  const giveUpAt = systemClock.monotonic() + deadlineMs
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, longestWaitMs)) {
    try {
      return await check()
    } catch (error) {
      if (systemClock.monotonic() > giveUpAt) throw error
      await sleep(systemClock, waitMs)
    }
  }
}
