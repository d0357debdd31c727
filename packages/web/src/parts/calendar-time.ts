import { fromLocalInput, toLocalInput } from './time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type CalendarView = 'week' | 'day'

/** A day of the site. Its length differs when the clocks change. */
export interface CalendarDay {
  /** `YYYY-MM-DD` */
  date: string
  start: number
  /** Exclusive. */
  end: number
  hours: number
}

export interface CalendarPeriod {
  start: number
  end: number
  days: CalendarDay[]
}

/** Returns the date at a site. */
export const dateAt = (at: number, timeZone: string): string => toLocalInput(at, timeZone).slice(0, 10)

/** Returns the date some days later, or earlier. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the Monday of the week of a date. */
function mondayOf(date: string): string {
  const weekday = new Date(`${date}T00:00Z`).getUTCDay()
  return addDays(date, -((weekday + 6) % 7))
}

/** Returns the day or the week around a date, in the time of the site. */
export function periodOf(view: CalendarView, date: string, timeZone: string): CalendarPeriod {
  return view === 'week' ? daysFrom(mondayOf(date), 7, timeZone) : daysFrom(date, 1, timeZone)
}

/** Returns a number of days from a date on. */
export function daysFrom(first: string, count: number, timeZone: string): CalendarPeriod {
  const days = Array.from({ length: count }, (_, index) => dayOf(addDays(first, index), timeZone))
  return { start: days[0]?.start ?? 0, end: days.at(-1)?.end ?? 0, days }
}

function dayOf(date: string, timeZone: string): CalendarDay {
  const start = startOfDay(date, timeZone)
  const end = startOfDay(addDays(date, 1), timeZone)
  return { date, start, end, hours: (end - start) / HOUR_MS }
}

const startOfDay = (date: string, timeZone: string) => fromLocalInput(`${date}T00:00`, timeZone) ?? Number.NaN

const DATE = /^\d{4}-\d\d-\d\d$/

/** Parses a date of an address; `undefined` when it is none, or too far away to be meant. */
export function readDate(text: string | null): string | undefined {
  if (text === null || !DATE.test(text)) return undefined
  const at = Date.parse(`${text}T00:00Z`)
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text
  return isReal && text >= '1990-01-01' && text <= '2200-12-31' ? text : undefined
}

/** Returns the full hours of a day to label, every so many, with the time at the site. A repeated hour has its label twice. */
export function hourTicks(
  { start, end }: CalendarDay,
  every: number,
  timeZone: string,
): { at: number; label: string }[] {
  const ticks = []
  for (let at = start; at < end; at += HOUR_MS) {
    const label = toLocalInput(at, timeZone).slice(11, 16)
    if (Number(label.slice(0, 2)) % every === 0) ticks.push({ at, label })
  }
  return ticks
}
