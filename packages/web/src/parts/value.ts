import type { ReportedValue } from '@plantroom/contract/reports'
import { LOCALE, TEXT_LOCALE } from '../texts/language.ts'

const values = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 3, useGrouping: false })
const tenths = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const lists = new Intl.ListFormat(TEXT_LOCALE, { type: 'conjunction' })

/** Shows the value of a datapoint with at most three decimals and its unit, if it has one; `–` when it is unknown. */
export function shownValue(value: ReportedValue | undefined, unit?: string | undefined): string {
  if (value === null || value === undefined) return '–'
  const number = typeof value === 'string' ? value : values.format(value)
  // A number and its unit never stand on different lines.
  return unit === undefined ? number : `${number}\u00A0${unit}`
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
