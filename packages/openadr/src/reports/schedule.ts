import type { ReportDescriptor } from '../normal/events.ts'

/** The intervals of one report, by their numbers within the event, and when it is due. */
export interface ScheduledReport {
  readonly first: number
  readonly last: number
  readonly isForecast: boolean
}

type Terms = Pick<ReportDescriptor, 'startInterval' | 'numIntervals' | 'historical' | 'frequency' | 'repeat'>

/**
 * Returns the reports that a descriptor asks for and whose last interval (first, of a forecast) lies in a range of numbers.
 * `count` is how many intervals the event has; infinite for one that never ends.
 *
 * A historical report closes with the interval on which it is generated. `startInterval` −1 has two readings: the last
 * interval, for a single report; and no particular interval, for a repeated one, which then comes every `frequency` intervals
 * from the beginning. A forecast with −1 begins with the first interval.
 */
export function scheduleOf(
  terms: Terms,
  count: number,
  range: { readonly first: number; readonly last: number },
): ScheduledReport[] {
  const { historical, repeat } = terms
  const size = terms.numIntervals > 0 ? terms.numIntervals : count
  // 0: whenever we choose. Such reports have their own causes.
  if (terms.frequency === 0 || count <= 0) return []
  const step = Math.max(terms.frequency > 0 ? terms.frequency : size, 1)
  const start = startOf(terms, count, step)
  if (!Number.isFinite(start)) return []
  const reports: ScheduledReport[] = []
  const from = Number.isFinite(step) ? Math.max(0, Math.ceil((range.first - start) / step)) : 0
  const most = repeat < 0 ? Number.POSITIVE_INFINITY : repeat
  for (let index = from; index < most; index += 1) {
    const at = start + (index === 0 ? 0 : index * step)
    if (at >= count || at > range.last) break
    if (at < range.first) continue
    if (historical) reports.push({ first: Math.max(0, at - size + 1), last: at, isForecast: false })
    else reports.push({ first: at, last: Math.min(count, at + size) - 1, isForecast: true })
  }
  return reports
}

function startOf({ startInterval, historical, repeat }: Terms, count: number, step: number): number {
  if (startInterval >= 0) return startInterval
  if (!historical) return 0
  return repeat === 1 ? count - 1 : Math.min(step, count) - 1
}
