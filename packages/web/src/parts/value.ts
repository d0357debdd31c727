import type { ReportedValue } from '@plantroom/contract/reports'

const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 3, useGrouping: false })

/** A value of a datapoint for people: at most three decimals; `–` for one that is not known. */
export function shownValue(value: ReportedValue | undefined): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : figures.format(value)
}

const counts = new Intl.NumberFormat('en')

/** Such as `50,000 requests`, `1 request`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${counts.format(count)} ${count === 1 ? one : many}`
}

/** What the service says goes on after a colon, as in a log; alone it begins as a sentence does. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Such as `1.2 MB`. */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  let value = size
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
