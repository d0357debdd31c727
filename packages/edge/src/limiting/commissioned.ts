import { siteTimeAt } from '@plantroom/contract/site-time'
import { limitInForce } from '../optimisation/peak-shaving.ts'
import type { Moment } from '../overrides/timeline.ts'
import { timeZoneOf } from './learn-highs.ts'
import type { LimiterState } from './limiter-state.ts'

/** Returns the limit that peak shaving keeps at the same meter now. */
export function commissionedKw(state: LimiterState, now: Moment): number | undefined {
  const { peakShaving } = state
  if (!peakShaving) return undefined
  const at = siteTimeAt(timeZoneOf(state), now.wall)
  return limitInForce(peakShaving.limitKw, at && Math.floor(at.minute / 60)) ?? undefined
}
