/** A length of time as ISO 8601 writes it: months have no fixed length. Survives JSON. */
export interface Duration {
  readonly months: number
  readonly ms: number
}

/** The last moment that can be written; something that ends there has no end. */
export const END_OF_TIME = Date.parse('9999-12-31T23:59:59.999Z')

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const DATE_UNITS: Readonly<Record<string, Duration>> = {
  Y: { months: 12, ms: 0 },
  M: { months: 1, ms: 0 },
  W: { months: 0, ms: 7 * DAY },
  D: { months: 0, ms: DAY },
}
const TIME_UNITS: Readonly<Record<string, Duration>> = {
  H: { months: 0, ms: HOUR },
  M: { months: 0, ms: MINUTE },
  S: { months: 0, ms: SECOND },
}
const LONGEST_TEXT = 64
const SHAPE = /^P([0-9.,YMWD]*)(T[0-9.,HMS]+)?$/
const PART = /(\d{1,15})(?:[.,](\d{1,9}))?([YMWDHS])/g

/**
 * Reads a duration as ISO 8601 writes it, also with parts that are 0: `P9999Y0M0DT0H0M0S` is `P9999Y`. Returns `undefined`
 * for a negative one and for anything else.
 */
export function readDuration(text: string): Duration | undefined {
  const match = text.length <= LONGEST_TEXT ? SHAPE.exec(text) : null
  if (!match) return undefined
  const [, dates = '', times = ''] = match
  if (dates === '' && times === '') return undefined
  const date = sumOf(dates, DATE_UNITS)
  const time = sumOf(times.slice(1), TIME_UNITS)
  return date && time && { months: date.months + time.months, ms: date.ms + time.ms }
}

/** Each unit at most once, in the order of the table, and nothing between them. */
function sumOf(text: string, units: Readonly<Record<string, Duration>>): Duration | undefined {
  const order = Object.keys(units)
  let [months, ms, length, last] = [0, 0, 0, -1]
  for (const [part, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const size = units[unit]
    const place = order.indexOf(unit)
    if (!size || place <= last) return undefined
    // A part of a month has no length.
    if (fraction !== '' && Number(fraction) !== 0 && size.months > 0) return undefined
    const count = Number(`${whole}.${fraction || '0'}`)
    months += size.months * count
    ms += Math.round(size.ms * count)
    length += part.length
    last = place
  }
  return length === text.length ? { months, ms } : undefined
}

/** Adds a duration to a moment, at most to the end of time. The 31st plus a month is the last day of that month. */
export function addDuration(moment: number, { months, ms }: Duration): number {
  if (months === 0) return Math.min(moment + ms, END_OF_TIME)
  const date = new Date(moment)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + months
  if (month >= 10_000 * 12) return END_OF_TIME
  const [year, monthOfYear] = [Math.floor(month / 12), month % 12]
  const days = new Date(Date.UTC(year, monthOfYear + 1, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), days)
  return Math.min(Date.UTC(year, monthOfYear, day) + (moment - startOfDay(moment)) + ms, END_OF_TIME)
}

const startOfDay = (moment: number) => Math.floor(moment / DAY) * DAY

export const isNone = ({ months, ms }: Duration) => months === 0 && ms === 0

/** Writes a length of time as ISO 8601, for example `PT15M` or `PT1H30M`. */
export function formatDuration(ms: number): string {
  const [hours, minutes, seconds] = [Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE), (ms % MINUTE) / SECOND]
  const parts = [hours && `${hours}H`, minutes && `${minutes}M`, seconds && `${seconds}S`].filter(Boolean)
  return `PT${parts.length > 0 ? parts.join('') : '0S'}`
}
