import { format } from '../texts/format.ts'
import { LOCALE } from '../texts/language.ts'
import { times } from '../texts/times.ts'
import { dayStyle } from './locale.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string, style: keyof typeof STYLES): Intl.DateTimeFormat {
  const key = `${timeZone} ${style}`
  const made = formats.get(key) ?? new Intl.DateTimeFormat(LOCALE, { timeZone, ...STYLES[style] })
  formats.set(key, made)
  return made
}

const DAY_MS = 86_400_000
const DAY = dayStyle(LOCALE)
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const
const STYLES = {
  full: { ...DAY, ...CLOCK, timeZoneName: 'short' },
  seconds: { ...DAY, ...CLOCK, second: '2-digit', timeZoneName: 'short' },
  clock: { ...CLOCK, second: '2-digit', timeZoneName: 'short' },
  minute: { ...CLOCK, timeZoneName: 'short' },
  day: DAY,
} as const

/** Shows day and time, like `15 Nov 2026, 12:30 EET`. */
export const fullTime = (at: string | number, timeZone: string) => formatIn(timeZone, 'full').format(new Date(at))
/** Shows day and time with seconds. */
export const exactTime = (at: string | number, timeZone: string) => formatIn(timeZone, 'seconds').format(new Date(at))
/** Shows the time of day, like `12:30:05 EET`. */
export const clockTime = (at: string | number, timeZone: string) => formatIn(timeZone, 'clock').format(new Date(at))
const day = (at: string | number, timeZone: string) => formatIn(timeZone, 'day').format(new Date(at))

/** Shows the time of day, and the day unless it is today at the site. */
export function shortTime(at: string | number, timeZone: string, now: number): string {
  return day(at, timeZone) === day(now, timeZone) ? clockTime(at, timeZone) : fullTime(at, timeZone)
}

/** Like `shortTime`, without seconds. */
export function minuteTime(at: string | number, timeZone: string, now: number): string {
  const isToday = day(at, timeZone) === day(now, timeZone)
  return isToday ? formatIn(timeZone, 'minute').format(new Date(at)) : fullTime(at, timeZone)
}

/** Shows a planned time: `18:00 EET`, with seconds only if they are not zero, `tomorrow 06:00 EET`, or with its day. */
export function plannedTime(at: string | number, timeZone: string, now: number): string {
  const ms = new Date(at).getTime()
  const time = formatIn(timeZone, ms % 60_000 === 0 ? 'minute' : 'clock').format(ms)
  const on = day(ms, timeZone)
  if (on === day(now, timeZone)) return time
  return on === day(now + DAY_MS, timeZone) ? format(times.tomorrow, { time }) : fullTime(ms, timeZone)
}

/** Shows a length of time by its two largest units, like `2 h 05 min` or `45 s`. Never negative. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return format(times.seconds, { seconds })
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) {
    return seconds % 60 === 0
      ? format(times.minutes, { minutes })
      : format(times.minutesAndSeconds, { minutes, seconds: twoDigits(seconds % 60) })
  }
  const hours = Math.floor(minutes / 60)
  if (hours < 48) {
    return minutes % 60 === 0
      ? format(times.hours, { hours })
      : format(times.hoursAndMinutes, { hours, minutes: twoDigits(minutes % 60) })
  }
  return format(times.days, { count: Math.floor(hours / 24) })
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

const digits = new Map<string, Intl.DateTimeFormat>()

/** Making a format takes longer than using it a hundred times. */
function digitsIn(timeZone: string): Intl.DateTimeFormat {
  const known = digits.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  digits.set(timeZone, made)
  return made
}

/** Returns the offset of a zone at a moment, in milliseconds east of UTC. */
function offsetOf(timeZone: string, at: number): number {
  const parts = digitsIn(timeZone).formatToParts(at)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const there = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return there - Math.floor(at / 1000) * 1000
}

/** Returns a moment in the site's time zone, as `<input type="datetime-local">` holds it. */
export function toLocalInput(at: number, timeZone: string): string {
  return new Date(at + offsetOf(timeZone, at)).toISOString().slice(0, 16)
}

/** Parses such an input; `undefined` when it is not a time. An hour skipped by a clock change means the next one. */
export function fromLocalInput(text: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const guess = asUtc - offsetOf(timeZone, asUtc)
  return asUtc - offsetOf(timeZone, guess)
}

/** Time inputs and entries have no other times. */
const EARLIEST = 0
const LATEST = Date.parse('9999-12-31T23:59:59Z')

/** Parses a time of an address; `undefined` when it is invalid or out of range. */
export function readTime(text: string): string | undefined {
  const at = Date.parse(text)
  return at >= EARLIEST && at <= LATEST ? new Date(at).toISOString() : undefined
}
