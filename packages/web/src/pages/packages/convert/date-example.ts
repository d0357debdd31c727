import type { DateOrder, SourceAnalysis, Target } from '@plantroom/contract/conversion'
import { LOCALE, TEXT_LOCALE } from '../../../texts/language.ts'

const DATE_TARGETS: readonly Target[] = ['createdAt', 'updatedAt', 'resolvedAt', 'stateChangedAt']
const NUMBERS_ONLY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/
const USUAL = '03/04/2026'

/** Returns a date of the export whose order matters, or a usual one. */
export function dateSample(analysis: SourceAnalysis, columns: Readonly<Record<string, Target>>): string {
  const dates = analysis.columns
    .filter(({ name }) => DATE_TARGETS.includes(columns[name] ?? 'omit'))
    .flatMap(({ samples }) => samples.filter((text) => NUMBERS_ONLY.test(text)))
  // One that can be read both ways shows the difference best.
  return dates.find((text) => (['dmy', 'mdy'] as const).every((order) => readDate(text, order))) ?? dates[0] ?? USUAL
}

/** Shows the day that a date of the export means, with the month as a word; undefined when it means none. */
export function dateExample(text: string, order: DateOrder): string | undefined {
  const date = readDate(text, order)
  // The name of a month is in the language of the page.
  const locale = new Intl.Locale(LOCALE).language === TEXT_LOCALE ? LOCALE : TEXT_LOCALE
  return date && new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}

function readDate(text: string, order: DateOrder): Date | undefined {
  const [, first, , second, year] = NUMBERS_ONLY.exec(text) ?? []
  const [day, month] = (order === 'dmy' ? [first, second] : [second, first]).map(Number)
  if (day === undefined || month === undefined || year === undefined) return undefined
  const fullYear = Number(year) + (year.length === 2 ? 2000 : 0)
  const date = new Date(Date.UTC(fullYear, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined
}
