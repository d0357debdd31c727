import type { Clock } from '@plantroom/base/clock'
import { quotaReached } from '@plantroom/contract/failure'

const REPORTS = 10
const WINDOW_MS = 60_000

/** Bounds how often each site is reported on: a report reads the log and the states of all its controllers. */
export function createReportPace(clock: Clock): { begin(siteId: string): void } {
  let windowEnd = 0
  const counts = new Map<string, number>()
  return {
    begin(siteId) {
      const now = clock.monotonic()
      if (now >= windowEnd) {
        counts.clear()
        windowEnd = now + WINDOW_MS
      }
      const count = (counts.get(siteId) ?? 0) + 1
      counts.set(siteId, count)
      if (count <= REPORTS) return
      const seconds = Math.max(1, Math.ceil((windowEnd - now) / 1000))
      throw quotaReached(
        `this site was reported on ${REPORTS} times in a minute, which is the limit: try again in ${seconds} s`,
        seconds,
      )
    },
  }
}
