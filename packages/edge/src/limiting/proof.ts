import type { Direction, LimitState, StrictestLimit } from '@plantroom/contract/power-limit'
import type { ReportCode, ReportPhase, ReportReason } from '@plantroom/contract/reports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { WRITERS } from '@plantroom/contract/writers'
import type { Place } from '../connections/connections.ts'
import type { Happened } from '../reports/audit.ts'
import type { PowerLimit } from '../store/power-limit-store.ts'
import { type OpenInterval, openInterval, summaryOf } from '../telemetry/interval.ts'
import type { LimitEnd } from './power-limits.ts'

const CODE: ReportCode = WRITERS['demand-response'].auditCode

/** The part of a quarter of an hour in which one ceiling was in force. */
export interface Part {
  /** Counts in the direction of its ceiling. */
  interval: OpenInterval
  to: number
  kw: number
  limit: PowerLimit | undefined
  isFallback?: true
  /** The strictest limit that was in force in it, also beside this one. Missing while the controller was off. */
  limitedBy?: StrictestLimit
  /** The datapoints that were moved in it. */
  moved: ReadonlySet<string>
  state: LimitState
}

/** Returns a part in which nothing was read. */
export const gapOf = (limit: PowerLimit, from: number, to: number): Part => ({
  ...{ interval: openInterval(from), to, kw: limit.kw, limit, moved: new Set(), state: 'fallback' },
})

/** Returns the audit entry that says how a part of an interval went. */
export function intervalEntry(place: Place, direction: Direction, part: Part, to: number): Happened {
  const summary = summaryOf(part.interval, to)
  // To the watt: no meter knows more.
  const meanKw = summary ? Number(summary.mean.toFixed(3)) : null
  const { limit, kw, isFallback, limitedBy } = part
  const source = limit ? {} : { source: isFallback ? ('fallback' as const) : ('contact' as const) }
  return {
    ...entryOf(place, limit, { phase: 'interval', reason: 'window', at: to }),
    value: kw,
    readBack: meanKw,
    interval: {
      from: formatTimestamp(part.interval.from),
      to: formatTimestamp(to),
      direction,
      limitKw: kw,
      meanKw,
      coverage: Math.round((summary?.coverage ?? 0) * 100),
      state: part.state,
      moved: [...part.moved],
      ...source,
      ...(limitedBy && { limitedBy }),
    },
  }
}

/** Returns the audit entry of a limit that starts. */
export function appliedEntry(place: Place, limit: PowerLimit, at: number): Happened {
  return entryOf(place, limit, { phase: 'applied', reason: limit.isTakenOver ? 'replaced' : 'window', at })
}

/** Returns the audit entry of a limit that is over. */
export function releasedEntry(place: Place, limit: PowerLimit, end: LimitEnd, at: number): Happened {
  if (typeof end === 'string') return entryOf(place, limit, { phase: 'released', reason: end, at })
  return { ...entryOf(place, limit, { phase: 'released', reason: 'cancelled', at }), cancelledBy: end.cancelledBy }
}

function entryOf(
  { systemId, connection, datapoint }: Place,
  limit: PowerLimit | undefined,
  { phase, reason, at }: { phase: ReportPhase; reason: ReportReason; at: number },
): Happened {
  return {
    code: CODE,
    at: formatTimestamp(at),
    technicalSystemId: systemId,
    connectionId: connection.config.id,
    datapointId: datapoint.id,
    overrideId: limit?.id ?? null,
    reqId: limit?.reqId ?? null,
    phase,
    reason,
    valueBefore: null,
    value: limit?.kw ?? null,
    readBack: null,
    placedBy: limit ? { id: limit.placedBy, name: limit.placedByName, reason: limit.reason } : null,
  }
}
