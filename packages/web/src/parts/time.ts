import { times } from '../texts/times.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function format(timeZone: string, style: keyof typeof STYLES): Intl.DateTimeFormat {
  const key = `${timeZone} ${style}`
  const made = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...STYLES[style] })
  formats.set(key, made)
  return made
}

const DAY_MS = 86_400_000
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const
const STYLES = {
  full: { ...DAY, ...CLOCK, timeZoneName: 'short' },
  seconds: { ...DAY, ...CLOCK, second: '2-digit', timeZoneName: 'short' },
  clock: { ...CLOCK, second: '2-digit', timeZoneName: 'short' },
  minute: { ...CLOCK, timeZoneName: 'short' },
  day: DAY,
} as const

/** Such as `15 Nov 2026, 12:30 EET`. */
export const fullTime = (at: string | number, timeZone: string) => format(timeZone, 'full').format(new Date(at))
/** The same with seconds. */
export const exactTime = (at: string | number, timeZone: string) => format(timeZone, 'seconds').format(new Date(at))
/** Such as `12:30:05 EET`. */
export const clockTime = (at: string | number, timeZone: string) => format(timeZone, 'clock').format(new Date(at))
const day = (at: string | number, timeZone: string) => format(timeZone, 'day').format(new Date(at))

/** For people: the time of day where it is today at the site, else the day too. */
export function shortTime(at: string | number, timeZone: string, now: number): string {
  return day(at, timeZone) === day(now, timeZone) ? clockTime(at, timeZone) : fullTime(at, timeZone)
}

/** The same without seconds. */
export function minuteTime(at: string | number, timeZone: string, now: number): string {
  const isToday = day(at, timeZone) === day(now, timeZone)
  return isToday ? format(timeZone, 'minute').format(new Date(at)) : fullTime(at, timeZone)
}

/** For what was planned: `18:00 EET`, with seconds only where it has some; `tomorrow 06:00 EET`; else with its day. */
export function plannedTime(at: string | number, timeZone: string, now: number): string {
  const ms = new Date(at).getTime()
  const clock = format(timeZone, ms % 60_000 === 0 ? 'minute' : 'clock')
  const on = day(ms, timeZone)
  if (on === day(now, timeZone)) return clock.format(ms)
  return on === day(now + DAY_MS, timeZone) ? `${times.tomorrow} ${clock.format(ms)}` : fullTime(ms, timeZone)
}

/** Such as `2 h 05 min`, `45 s`: the two largest parts that are not nothing. Never negative. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${two(seconds % 60)} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${two(minutes % 60)} min`
  return `${Math.floor(hours / 24)} days`
}

const two = (value: number) => String(value).padStart(2, '0')

/** The offset of a zone at a moment, in milliseconds east of UTC. */
function offsetOf(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const there = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return there - Math.floor(at / 1000) * 1000
}

/** What `<input type="datetime-local">` holds for a moment, by the clocks of the site. */
export function toLocalInput(at: number, timeZone: string): string {
  return new Date(at + offsetOf(timeZone, at)).toISOString().slice(0, 16)
}

/** The moment that such an input means; `undefined` when it is empty or no time. An hour that a clock skips is the one after it. */
export function fromLocalInput(text: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const guess = asUtc - offsetOf(timeZone, asUtc)
  return asUtc - offsetOf(timeZone, guess)
}
