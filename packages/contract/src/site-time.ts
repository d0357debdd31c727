import { WEEKDAYS, type Weekday } from './datapoint.ts'

/** The local time at a site. */
export interface SiteTime {
  weekday: Weekday
  /** Whole minutes since midnight. */
  minute: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** No time zone sets its clock back by more. */
const LONGEST_REPEAT_MS = 3 * 3_600_000

/** The time zone of a site that names none. */
export const DEFAULT_TIME_ZONE = 'UTC'

/** Reports whether this machine knows a time zone of this name. */
export function isTimeZone(text: string): boolean {
  // Intl also accepts offsets like +02:00, but those ignore daylight saving time.
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/**
 * Returns the local time at a site, or `undefined` where this machine does not know the time zone. When the clock is
 * set back, local times that occur twice count once: during the repetition the result stays at the last minute before
 * the change, so that nothing that has ended starts again that night.
 */
export function siteTimeAt(timeZone: string, now: number): SiteTime | undefined {
  const format = formatOf(timeZone)
  if (!format) return undefined
  const local = localAt(format, countedMoment(format, wholeMinute(now)))
  const date = new Date(local)
  // Sunday is day 0 in `Date` and the last day here.
  const weekday = WEEKDAYS[(date.getUTCDay() + 6) % 7] as Weekday
  return { weekday, minute: date.getUTCHours() * 60 + date.getUTCMinutes() }
}

/** A date and a time of day without a zone, in milliseconds as if it were UTC. */
export type LocalTime = number

/** Returns the local date and time at a moment. A zone that this machine does not know counts as UTC. */
export function localTimeAt(timeZone: string, moment: number): LocalTime {
  const format = formatOf(timeZone)
  return format ? localAt(format, moment) : wholeMinute(moment)
}

/**
 * Returns the moment at which a site's clock shows a local time. Of two such moments it is the first. A local time that
 * the clock skips counts as much later as the clock is set forward.
 */
export function momentOfLocalTime(timeZone: string, local: LocalTime): number {
  const format = formatOf(timeZone)
  if (!format) return local
  const offsetAt = (moment: number) => localAt(format, moment) - moment
  // No zone changes twice within two days.
  const [before, after] = [offsetAt(local - DAY_MS), offsetAt(local + DAY_MS)]
  const [first, second] = [local - Math.max(before, after), local - Math.min(before, after)]
  if (localAt(format, first) === local) return first
  if (localAt(format, second) === local) return second
  return local - before
}

/** Returns the moment whose local time counts: an earlier one while local times repeat. */
function countedMoment(format: Intl.DateTimeFormat, now: number): number {
  const offsetAt = (moment: number) => localAt(format, moment) - moment
  const before = offsetAt(now - LONGEST_REPEAT_MS)
  const sameLocalBefore = now - (before - offsetAt(now))
  if (sameLocalBefore >= now || offsetAt(sameLocalBefore) !== before) return now
  let last = sameLocalBefore
  let tooLate = now
  while (tooLate - last > MINUTE_MS) {
    const middle = wholeMinute((last + tooLate) / 2)
    if (offsetAt(middle) === before) last = middle
    else tooLate = middle
  }
  return last
}

/** Returns the local date and time at a moment, as if it were UTC. */
function localAt(format: Intl.DateTimeFormat, moment: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(moment)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute)
}

const wholeMinute = (moment: number) => Math.floor(moment / MINUTE_MS) * MINUTE_MS

// Creating a format costs a thousand times as much as using it.
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
