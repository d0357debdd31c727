import { LOCALE } from '../../texts/language.ts'

const days = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** Shows a date of the site, like `Mon 16 Nov`. */
export const shortDay = (date: string): string => days.format(new Date(`${date}T00:00Z`)).replace(',', '')
