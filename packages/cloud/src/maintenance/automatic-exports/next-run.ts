import type { ExportSchedule } from '@plantroom/contract/automatic-exports'
import { WEEKDAYS } from '@plantroom/contract/datapoint'
import { localTimeAt, momentOfLocalTime } from '@plantroom/contract/site-time'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Every schedule has a day within this many. */
const MOST_DAYS = 64

/** Says what is wrong with a schedule, naming the field; `undefined` when nothing is. */
export function problemOfSchedule(schedule: ExportSchedule): { field: string; problem: string } | undefined {
  const { every } = schedule
  const needed = NEEDED[every]
  for (const name of FIELDS) {
    const field = `schedule.${name}`
    if (needed.includes(name) && schedule[name] === undefined) {
      return { field, problem: `${field} is missing: a schedule for every ${every} needs ${needed.join(' and ')}` }
    }
    if (!needed.includes(name) && schedule[name] !== undefined) {
      return { field, problem: `${field} has no meaning for every ${every}: leave it out` }
    }
  }
  return undefined
}

const FIELDS = ['hours', 'at', 'weekday', 'day'] as const
const NEEDED: Readonly<Record<ExportSchedule['every'], readonly (typeof FIELDS)[number][]>> = {
  hours: ['hours'],
  day: ['at'],
  week: ['weekday', 'at'],
  month: ['day', 'at'],
}

/**
 * Returns the first time of a schedule after a moment. `last` is the time before, from which hours are counted. A missed
 * time is not made up for: the result is always later than `after`.
 */
export function nextRun(
  schedule: ExportSchedule,
  { timeZone, after, last }: { timeZone: string; after: number; last: number },
): number {
  if (schedule.every === 'hours') {
    const step = (schedule.hours ?? 1) * HOUR_MS
    return last + Math.max(1, Math.floor((after - last) / step) + 1) * step
  }
  const today = Math.floor(localTimeAt(timeZone, after) / DAY_MS) * DAY_MS
  const minutes = minutesOf(schedule.at ?? '00:00')
  // From yesterday: a time that the clock skips can fall on the day after.
  for (let day = today - DAY_MS; day <= today + MOST_DAYS * DAY_MS; day += DAY_MS) {
    if (!isDayOf(schedule, new Date(day))) continue
    const moment = momentOfLocalTime(timeZone, day + minutes * MINUTE_MS)
    if (moment > after) return moment
  }
  throw new Error('a schedule without a day')
}

function isDayOf({ every, weekday, day = 1 }: ExportSchedule, date: Date): boolean {
  if (every === 'day') return true
  // Sunday is day 0 in `Date` and the last day here.
  if (every === 'week') return WEEKDAYS[(date.getUTCDay() + 6) % 7] === weekday
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.getUTCDate() === Math.min(day, lastDay)
}

/** The minutes of a day at a time such as 02:30. */
const minutesOf = (at: string) => Number(at.slice(0, 2)) * 60 + Number(at.slice(3))
