import type { Clock } from '@plantroom/base/clock'
import { quotaReached } from '@plantroom/contract/failure'
import { createPace } from '../../platform/work/index.ts'

const MINUTE_MS = 60_000
/** Reports in a minute. An organization with many sites has the same share of the log as one with few. */
const MOST = { site: 10, organization: 30 } as const

/** Bounds how often each site and each organization is reported on: a report reads the log and the states of all controllers. */
export function createReportPace(clock: Clock): { begin(of: { orgId: string; siteId: string }): void } {
  const pace = createPace(clock, MINUTE_MS)
  return {
    begin({ orgId, siteId }) {
      const refused = pace.take([
        { key: siteId, most: MOST.site },
        { key: orgId, most: MOST.organization },
      ])
      if (!refused) return
      const kind = refused.key === siteId ? 'site' : 'organization'
      const seconds = Math.max(1, Math.ceil(refused.retryAfterMs / 1000))
      throw quotaReached(
        `this ${kind} was reported on ${MOST[kind]} times in a minute, which is the limit: try again in ${seconds} s`,
        seconds,
      )
    },
  }
}
