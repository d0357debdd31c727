import type { Clock } from '@plantroom/base/clock'
import { quotaReached } from '@plantroom/contract/failure'

const WINDOW_MS = 60_000
/** Reports in a minute. An organization with many sites has the same share of the log as one with few. */
const MOST = { site: 10, organization: 30 } as const

/** Bounds how often each site and each organization is reported on: a report reads the log and the states of all controllers. */
export function createReportPace(clock: Clock): { begin(of: { orgId: string; siteId: string }): void } {
  let windowEnd = 0
  const counts = new Map<string, number>()
  return {
    begin({ orgId, siteId }) {
      const now = clock.monotonic()
      if (now >= windowEnd) {
        counts.clear()
        windowEnd = now + WINDOW_MS
      }
      for (const [kind, id] of Object.entries({ site: siteId, organization: orgId }) as [keyof typeof MOST, string][]) {
        const count = (counts.get(id) ?? 0) + 1
        if (count > MOST[kind]) throw tooMany(kind, Math.max(1, Math.ceil((windowEnd - now) / 1000)))
        counts.set(id, count)
      }
    },
  }
}

const tooMany = (kind: keyof typeof MOST, seconds: number) =>
  quotaReached(
    `this ${kind} was reported on ${MOST[kind]} times in a minute, which is the limit: try again in ${seconds} s`,
    seconds,
  )
