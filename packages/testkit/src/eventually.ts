import { sleep, systemClock } from '@plantroom/base/clock'

const DEADLINE_MS = 10_000
const AGAIN_MS = 10

/**
 * Waits in real time until `check` stops throwing and returns its result. At the deadline it throws the last error, so
 * a failed `expect` inside `check` fails the test.
 */
export async function eventually<Result>(check: () => Result, deadlineMs = DEADLINE_MS): Promise<Awaited<Result>> {
  const giveUpAt = systemClock.monotonic() + deadlineMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (systemClock.monotonic() > giveUpAt) throw error
      await sleep(systemClock, AGAIN_MS)
    }
  }
}
