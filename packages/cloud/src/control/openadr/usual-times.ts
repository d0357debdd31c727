import { localTimeAt, momentOfLocalTime, siteTimeAt } from '@plantroom/contract/site-time'

const DAY_MS = 86_400_000
const WEEKEND: ReadonlySet<string> = new Set(['sat', 'sun'])

interface Time {
  from: number
  to: number
}

/**
 * Returns the same local time so many days before; `undefined` when that day is of another kind: a working day is compared
 * with working days, and a weekend with weekends. Longer times than a day have no other day to compare with. Pure.
 */
export function sameTimeBefore({ from, to }: Time, days: number, timeZone: string): Time | undefined {
  if (to - from > DAY_MS) return undefined
  // Seconds are the same everywhere, and local times have whole minutes.
  const seconds = from % 60_000
  const before = momentOfLocalTime(timeZone, localTimeAt(timeZone, from) - days * DAY_MS) + seconds
  if (isWeekend(timeZone, before) !== isWeekend(timeZone, from)) return undefined
  return { from: before, to: before + to - from }
}

const isWeekend = (timeZone: string, moment: number) => WEEKEND.has(siteTimeAt(timeZone, moment)?.weekday ?? '')
