import { numberIn } from '../../text/numbers.ts'

/** What the number format of a cell makes of its number. */
export type NumberKind = 'plain' | 'date' | 'time' | 'duration'

const DAY_MS = 86_400_000
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** The last day that a workbook can show: 31 December 9999. */
const LAST_DAY = 2_958_466

/** The formats that a workbook uses without declaring them, by their number. */
const BUILT_IN: readonly (readonly [from: number, to: number, kind: NumberKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [34, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 58, 'date'],
]

export function builtInKind(id: number): NumberKind {
  return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'plain'
}

/** Classifies a format such as `dd/mm/yyyy hh:mm`, `[h]:mm` or `#,##0.00 "days"`. */
export function kindOfFormat(format: string): NumberKind {
  const code = format.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0] ?? ''
  if (/\[(?:h+|m+|s+)\]/i.test(code)) return 'duration'
  const letters = code.replaceAll(/\[[^\]]*(?:\]|$)/g, '').replaceAll(/general|standard/gi, '')
  if (/[yd]/i.test(letters)) return 'date'
  if (/[hs]/i.test(letters)) return 'time'
  // A lone m is a month.
  return /m/i.test(letters) ? 'date' : 'plain'
}

/**
 * Returns a number of a cell as text: dates as ISO 8601 without a zone, numbers without the noise of binary fractions
 * (0.30000000000000004 is 0.3).
 */
export function numberText(raw: string, kind: NumberKind, is1904: boolean): string {
  const value = numberIn(raw, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  if (kind === 'duration') return durationText(value)
  if (kind === 'plain' || value < 0 || value >= LAST_DAY) return plainText(value)
  if (kind === 'time' && value < 1) return isoTime(wholeMs(value))
  return dateText(value, is1904)
}

function plainText(value: number): string {
  const text = String(numberIn(value.toPrecision(15), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY))
  return text.includes('e+') ? BigInt(Math.round(value)).toString() : text
}

function dateText(serial: number, is1904: boolean): string {
  // The 1900 system counts a 29 February 1900 that never was, so days before it are one off.
  const days = !is1904 && serial < 60 ? serial + 1 : serial
  const iso = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + wholeMs(days)).toISOString()
  return Number.isInteger(serial) ? iso.slice(0, 10) : iso.replace(/(?:\.000)?Z$/, '')
}

/** A day has no exact binary fraction, so 14:05:00 may be stored a few microseconds off. */
function wholeMs(days: number): number {
  const ms = Math.round(days * DAY_MS)
  const second = Math.round(ms / 1000) * 1000
  return Math.abs(ms - second) <= 1 ? second : ms
}

function isoTime(ms: number): string {
  return new Date(ms)
    .toISOString()
    .slice(11)
    .replace(/(?:\.000)?Z$/, '')
}

function durationText(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400)
  const two = (number: number) => String(number).padStart(2, '0')
  const sign = days < 0 ? '-' : ''
  return `${sign}${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** No spreadsheet program has more columns. */
export const MOST_COLUMNS = 16_384

/** Returns the index of a column from a reference: `A1` is 0, `AB12` is 27; -1 for anything else. */
export function columnIndex(reference: string): number {
  let index = 0
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    index = index * 26 + letter
    if (index > MOST_COLUMNS) return -1
  }
  return index - 1
}

/** Returns the number of a row from a reference: `AB12` is 12; NaN for anything else. */
export function rowNumber(reference: string): number {
  return numberIn(/(?<!\d)\d{1,7}$/.exec(reference)?.[0])
}
