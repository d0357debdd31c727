import type { DateOrder } from '@plantroom/contract/conversion'
import { monthOf, offsetOf } from './date-words.ts'
import { numberIn } from './numbers.ts'
import type { Moment, Zone } from './zone.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const FIRST = Date.parse('0000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const EXCEL_EPOCH = Date.UTC(1899, 11, 30)
/** How every date that is one number begins. One test instead of three for the dates that are not. */
const NUMBER = /^\d{5}/
/** 1954 to 2119: numbers of five digits that are days of a spreadsheet. */
const SERIAL = /^[2-7]\d{4}(?:[.,]\d+)?$/
const UNIX = /^\d{9,14}(?:\.\d+)?$/
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z)?)?$/
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d/.-])/
const NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2\s?(\d{4}|\d{2})(?![\d/.-])/
/** MySQL's way to write that there is no date. */
const NO_DATE = /^0000-00-00/

/** How dates of one source are to be read. */
export interface DateReading {
  /** Undefined if it is not known. A date that fits both orders is then read with the day first. */
  readonly order: DateOrder | undefined
  readonly zone: Zone
}

/**
 * Reads a date in any common format: ISO 8601, `03.04.2026 14:05`, `4/3/2026 2:05 PM`, `Apr 3, 2026`, `03-Apr-26`, RFC 2822,
 * Unix seconds or milliseconds, days of a spreadsheet. Returns undefined for anything else, 30 February included, and null
 * for a text that says that there is no date.
 */
export function readDate(text: string, reading: DateReading): Moment | null | undefined {
  const trimmed = text.trim()
  const plain = plainDate(trimmed, reading)
  if (plain) return plain
  if (NO_DATE.test(trimmed)) return null
  return numberDate(trimmed, reading) ?? writtenDate(trimmed, reading)
}

const PLAIN = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d?)\.(\d\d?)\.(\d{4}))(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/

/** Reads the two formats of most exports in one step, because a large export has hundreds of thousands of dates. */
function plainDate(text: string, reading: DateReading): Moment | undefined {
  const match = PLAIN.exec(text)
  if (!match) return undefined
  const local = localMs(numberIn(match[1] ?? match[6]), numberIn(match[2] ?? match[5]), numberIn(match[3] ?? match[4]))
  if (local === undefined) return undefined
  return placed(
    local,
    clockMs(numberIn(match[7] ?? 0), numberIn(match[8] ?? 0), numberIn(match[9] ?? 0)),
    undefined,
    reading,
  )
}

/** True for a date that means another day in the other order. */
export function isDoubtful(text: string): boolean {
  const [first, second] = doubtfulNumbers(text) ?? [0, 0]
  return first <= 12 && second <= 12 && first !== second
}

/** Returns the two numbers whose order is in doubt, or undefined for a date that can be read in one way only. */
export function doubtfulNumbers(text: string): readonly [first: number, second: number] | undefined {
  const match = NUMBERS.exec(text.trim())
  // Where dots separate, the day comes first.
  if (!match || match[2] === '.') return undefined
  return [numberIn(match[1]), numberIn(match[3])]
}

function numberDate(text: string, reading: DateReading): Moment | undefined {
  if (!NUMBER.test(text)) return undefined
  if (SERIAL.test(text)) {
    const local = EXCEL_EPOCH + Math.round(numberIn(text.replace(',', '.')) * 86_400) * 1000
    return reading.zone.momentOf(local)
  }
  const compact = COMPACT.exec(text)
  if (compact) {
    const [, year, month, day, hour = 0, minute = 0, second = 0, utc] = compact
    const local = localMs(numberIn(year), numberIn(month), numberIn(day))
    if (local !== undefined && numberIn(year) >= 1900 && numberIn(year) < 2200) {
      return placed(local, clockMs(numberIn(hour), numberIn(minute), numberIn(second)), utc && 0, reading)
    }
  }
  if (!UNIX.test(text)) return undefined
  const number = numberIn(text)
  return { ms: Math.round(number >= 1e11 ? number : number * 1000) }
}

function writtenDate(text: string, reading: DateReading): Moment | undefined {
  const found = yearFirst(text) ?? numbersOnly(text, reading.order) ?? monthNamed(text)
  if (!found) return undefined
  const time = readTime(found.rest)
  if (!time) return undefined
  return placed(found.local, time.ms, time.offset, reading)
}

interface Found {
  /** Midnight of the day, as if it were UTC. */
  readonly local: number
  /** What follows or surrounds the day. */
  readonly rest: string
}

function yearFirst(text: string): Found | undefined {
  const match = YEAR_FIRST.exec(text)
  return match ? day(match[1], match[2], match[3], text.slice(match[0].length)) : undefined
}

function numbersOnly(text: string, order: DateOrder | undefined): Found | undefined {
  const match = NUMBERS.exec(text)
  if (!match) return undefined
  const [all, first, separator, second, year] = match
  const isDayFirst = separator === '.' || (order ?? (numberIn(second) > 12 ? 'mdy' : 'dmy')) === 'dmy'
  return day(fullYear(year), isDayFirst ? second : first, isDayFirst ? first : second, text.slice(all.length))
}

const DAY_MONTH =
  /^(\d{1,2})(?:st|nd|rd|th|er|º|\.)?(?:[\s/-]+|(?<=\.))(?:de\s)?(\p{L}{3,})\.?,?[\s/-]+(?:de\s)?'?(\d{4}|\d{2})(?!\d|:)/u
const MONTH_DAY_YEAR = /^(\p{L}{3,})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4})(?!\d|:)/u
/** As the program `date` writes it: Apr  3 14:05:00 EEST 2026. */
const MONTH_DAY_TIME_YEAR = /^(\p{L}{3,})\s+(\d{1,2})\s+(\d{1,2}:\d{2}(?::\d{2})?(?:\s+[A-Z+-][\w:+-]*)?)\s+(\d{4})$/u
/** As Request Tracker writes it in German: 3. Apr 14:05:00 2026. */
const DAY_MONTH_TIME_YEAR = /^(\d{1,2})\.?\s+(\p{L}{3,})\.?\s+(\d{1,2}:\d{2}(?::\d{2})?)\s+(\d{4})$/u
const WEEKDAY = /^\p{L}+\.?,?\s+(?=\p{L}|\d)/u

function monthNamed(text: string): Found | undefined {
  const named = dayWithName(text)
  if (named) return named
  const weekday = WEEKDAY.exec(text)
  return weekday ? dayWithName(text.slice(weekday[0].length)) : undefined
}

function dayWithName(text: string): Found | undefined {
  const dayFirst = DAY_MONTH.exec(text)
  if (dayFirst) {
    return day(fullYear(dayFirst[3]), monthOf(dayFirst[2]), dayFirst[1], text.slice(dayFirst[0].length))
  }
  const monthFirst = MONTH_DAY_YEAR.exec(text)
  if (monthFirst) return day(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2], text.slice(monthFirst[0].length))
  const unix = MONTH_DAY_TIME_YEAR.exec(text)
  if (unix) return day(unix[4], monthOf(unix[1]), unix[2], ` ${unix[3]}`)
  const timed = DAY_MONTH_TIME_YEAR.exec(text)
  return timed ? day(timed[4], monthOf(timed[2]), timed[1], ` ${timed[3]}`) : undefined
}

function day(
  year: string | number | undefined,
  month: string | number | undefined,
  date: string | number | undefined,
  rest: string,
): Found | undefined {
  const local = localMs(numberIn(year), numberIn(month), numberIn(date))
  return local === undefined ? undefined : { local, rest }
}

function localMs(year: number, month: number, date: number): number | undefined {
  if (!(month >= 1 && month <= 12 && date >= 1 && date <= 31 && year >= 1)) return undefined
  const day = new Date(0)
  const ms = day.setUTCFullYear(year, month - 1, date)
  // A day that the month does not have rolls over into the next one.
  return day.getUTCDate() === date ? ms : undefined
}

/** Years of two digits lie between 1970 and 2069. */
function fullYear(text = ''): number {
  const year = numberIn(text)
  if (text.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

const TIME =
  /^(?:[T,]|\s+(?:at|um|kell|om|alle|ore|a las|às|à|o)(?=\s))?\s*(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?\s*(?:([ap])\.?m\.?|Uhr|h)?/i
const HOUR_ONLY = /^(?:,|\s+at\b)?\s*(\d{1,2})\s*([ap])\.?m\.?/i

interface Time {
  readonly ms: number | undefined
  /** Minutes east of UTC, if the text names a zone. */
  readonly offset: number | undefined
}

/** Reads what follows a day: nothing, or a time, then nothing or a zone. Returns undefined for anything else. */
function readTime(rest: string): Time | undefined {
  if (rest.trim() === '') return { ms: 0, offset: undefined }
  const match = TIME.exec(rest)
  if (!match) {
    const short = HOUR_ONLY.exec(rest)
    if (short && short[0].length === rest.length)
      return { ms: clockMs(hourOf(short[1], short[2]), 0, 0), offset: undefined }
    const zone = offsetOf(rest.trim())
    return zone === undefined ? undefined : { ms: 0, offset: zone }
  }
  const [all, hour, minute, second = '0', fraction = '', half] = match
  const milliseconds = numberIn(fraction.slice(0, 3).padEnd(3, '0'))
  const clock = clockMs(hourOf(hour, half), numberIn(minute), numberIn(second))
  const ms = clock === undefined ? undefined : clock + milliseconds
  const zoneText = rest.slice(all.length).trim()
  if (zoneText === '') return { ms, offset: undefined }
  const offset = offsetOf(zoneText)
  return offset === undefined ? undefined : { ms, offset }
}

function hourOf(text: string | undefined, half: string | undefined): number {
  const hour = numberIn(text)
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return Number.NaN
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

function clockMs(hour: number, minute: number, second: number): number | undefined {
  // 24:00 ends a day, and a leap second is the last of its minute.
  const isEnd = hour === 24 && minute === 0 && second === 0
  if (!((hour >= 0 && hour <= 23) || isEnd) || minute > 59 || second > 60) return undefined
  return (hour * 60 + minute) * MINUTE_MS + Math.min(second, 59) * 1000
}

function placed(
  local: number,
  time: number | undefined,
  offset: number | undefined | '',
  { zone }: DateReading,
): Moment | undefined {
  if (time === undefined || time > DAY_MS) return undefined
  const moment =
    offset === undefined || offset === '' ? zone.momentOf(local + time) : { ms: local + time - offset * MINUTE_MS }
  return moment.ms >= FIRST && moment.ms <= LAST ? moment : undefined
}
