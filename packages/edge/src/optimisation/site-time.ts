import { WEEKDAYS, type Weekday } from '@plantroom/contract/datapoint'

/** What the clock on the wall of a site shows. */
export interface SiteTime {
  weekday: Weekday
  /** Whole minutes since midnight. */
  minute: number
}

const MINUTE_MS = 60_000
/** No zone puts its clock back by more. */
const LONGEST_REPEAT_MS = 3 * 3_600_000

/** The zone of a site that names none. */
export const DEFAULT_TIME_ZONE = 'UTC'

/**
 * The time at a site. Where the clock was put back, the times that it shows twice count once: while it shows them
 * again, the last minute before it was put back stands still. So nothing that was over begins a second time that night.
 * `undefined` where this machine does not know the zone.
 */
export function siteTimeAt(timeZone: string, now: number): SiteTime | undefined {
  const format = formatOf(timeZone)
  if (!format) return undefined
  const shown = shownAt(format, counting(format, wholeMinute(now)))
  const date = new Date(shown)
  // Sunday is day 0 of a `Date` and the last one here.
  const weekday = WEEKDAYS[(date.getUTCDay() + 6) % 7] as Weekday
  return { weekday, minute: date.getUTCHours() * 60 + date.getUTCMinutes() }
}

/** The moment whose showing counts: an earlier one while the clock repeats itself. */
function counting(format: Intl.DateTimeFormat, now: number): number {
  const offsetAt = (moment: number) => shownAt(format, moment) - moment
  const before = offsetAt(now - LONGEST_REPEAT_MS)
  const sameShownBefore = now - (before - offsetAt(now))
  if (sameShownBefore >= now || offsetAt(sameShownBefore) !== before) return now
  let last = sameShownBefore
  let tooLate = now
  while (tooLate - last > MINUTE_MS) {
    const middle = wholeMinute((last + tooLate) / 2)
    if (offsetAt(middle) === before) last = middle
    else tooLate = middle
  }
  return last
}

/** The date and time shown at a moment, as if it were UTC. */
function shownAt(format: Intl.DateTimeFormat, moment: number): number {
  const shown: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(moment)) shown[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = shown
  return Date.UTC(year, month - 1, day, hour, minute)
}

const wholeMinute = (moment: number) => Math.floor(moment / MINUTE_MS) * MINUTE_MS

// To make one costs a thousand times what it costs to use one.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(timeZone)
  if (known) return known
  try {
    const numeric = 'numeric'
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
    })
    formats.set(timeZone, format)
    return format
  } catch {
    return undefined
  }
}
