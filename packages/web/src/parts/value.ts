import type { ReportedValue } from '@plantroom/contract/reports'
import { ON_OFF } from '@plantroom/contract/units'
import { LOCALE, TEXT_LOCALE } from '../texts/language.ts'
import { values as texts } from '../texts/values.ts'

// Without the sign of a zero: a reading of -0.0001 is 0.
const values = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 3, signDisplay: 'negative' })
const tenths = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const lists = new Intl.ListFormat(TEXT_LOCALE, { type: 'conjunction' })

/** A value as it is drawn: its unit may look different. */
export interface ShownValue {
  number: string
  unit: string | undefined
}

/** Returns how a value is written on every page: grouped digits with at most three decimals; `–` when it is unknown. */
export function valueParts(value: ReportedValue | undefined, unit?: string | undefined): ShownValue {
  if (value === null || value === undefined) return { number: '–', unit: undefined }
  const isSwitch = unit === ON_OFF
  if (isSwitch && (value === 0 || value === 1)) return { number: value === 1 ? texts.on : texts.off, unit: undefined }
  return { number: digitsOf(value), unit: isSwitch ? undefined : unit }
}

/** Numbers that JSON cannot hold arrive as digits. */
function digitsOf(value: number | string): string {
  if (typeof value === 'number') return values.format(value)
  return /^-?\d+$/.test(value) ? values.format(BigInt(value)) : value
}

/** Shows the value of a datapoint with its unit, if it has one. */
export function shownValue(value: ReportedValue | undefined, unit?: string | undefined): string {
  const shown = valueParts(value, unit)
  // A number and its unit never stand on different lines.
  return shown.unit === undefined ? shown.number : `${shown.number}\u00A0${shown.unit}`
}

/** Shows a range in one unit, like `-50` and `50 kW`. */
export const shownRange = ({ min, max }: { min?: number; max?: number }, unit: string | undefined) => ({
  min: shownValue(min, max === undefined ? unit : undefined),
  max: shownValue(max, unit),
})

/** Starts a message of the service with a capital letter: the service writes them to follow a colon. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A message of the service as a sentence. */
export function sentence(message: string | null): string {
  if (message === null || message === '') return ''
  const begun = capitalized(message)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/** Shows a number of bytes, like `1.2 MB`. */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  let value = size
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : tenths.format(value)} ${units[unit]}`
}

/** Joins names, like `Cellar, Roof, and Garage`. */
export const listed = (names: readonly string[]): string => lists.format(names)

/** Joins facts that stand side by side, leaving out those that are missing. */
export const joinFacts = (facts: readonly (string | false | null | undefined)[]): string =>
  facts.filter(Boolean).join(' · ')
