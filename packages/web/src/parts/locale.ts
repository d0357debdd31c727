import { TEXT_LOCALE } from '../texts/language.ts'
import type { Choice } from './selects.tsx'

/** Returns locales with their names in the language of the page, in the order of the names. */
export function namedLocales(locales: readonly string[]): Choice[] {
  const names = new Intl.DisplayNames(TEXT_LOCALE, { type: 'language', languageDisplay: 'standard' })
  const byName = new Intl.Collator(TEXT_LOCALE)
  return locales
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => byName.compare(a.label, b.label))
}

/** A time and a number that show how two locales differ. */
const AT = Date.UTC(2026, 10, 30, 15, 5)
const NUMBER = 1234.5

/** Returns how a locale writes a time and a number. */
export function exampleOf(locale: string, timeZone: string): { time: string; number: string } {
  const time = new Intl.DateTimeFormat(locale, { timeZone, ...dayStyle(locale), hour: '2-digit', minute: '2-digit' })
  return { time: time.format(AT), number: new Intl.NumberFormat(locale).format(NUMBER) }
}

/**
 * How a day is written. The name of the month would be in the language of the locale, so it appears only if that is the
 * language of the page.
 */
export function dayStyle(locale: string) {
  const month = new Intl.Locale(locale).language === TEXT_LOCALE ? 'short' : '2-digit'
  return { day: month === 'short' ? 'numeric' : '2-digit', month, year: 'numeric' } as const
}

/** Returns the decimal separator of a locale. */
export function decimalSeparator(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
}
