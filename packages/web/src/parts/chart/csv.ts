import { ON_OFF } from '@plantroom/contract/units'
import { chartPage as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'
import { toLocalInput } from '../time.ts'
import { sourceName } from './describe-chart.ts'
import type { Points } from './points.ts'
import type { ChartSource } from './sources.ts'

/** The most values of a file of every archived value. */
export const MAX_RAW_VALUES = 500_000

/** A datapoint with the points of a file. */
export interface CsvSeries {
  source: Pick<ChartSource, 'name' | 'datapointId' | 'unit'>
  points: Points
}

/** Returns a name with its unit, like `Charge power (kW)`. */
export const columnName = ({ source }: Pick<CsvSeries, 'source'>): string =>
  source.unit === undefined || source.unit === ON_OFF
    ? sourceName(source)
    : format(texts.column, { name: sourceName(source), unit: source.unit })

/**
 * Returns a CSV file: a row per time, and of each datapoint its value, or its mean, lowest and highest value where a row
 * stands for several. Times are of the site, with their offset from UTC.
 */
export function csvOf(series: readonly CsvSeries[], timeZone: string): string {
  const isStepped = series.some(({ points }) => points.count.some((count) => count > 1))
  const heads = series.flatMap((each) => {
    const name = columnName(each)
    return isStepped
      ? [format(texts.csvMean, { name }), format(texts.csvMin, { name }), format(texts.csvMax, { name })]
      : [name]
  })
  const localTime = localTimes(timeZone)
  const rows = rowsOf(series.map(({ points }) => points)).map(({ at, places }) =>
    line([
      localTime(at),
      ...places.flatMap((place, index) => {
        const points = (series[index] as CsvSeries).points
        const columns = isStepped ? [points.value, points.low, points.high] : [points.value]
        return columns.map((column) => (place === undefined ? '' : (column[place] as number)))
      }),
    ]),
  )
  return line([format(texts.csvTime, { zone: timeZone }), ...heads]) + rows.join('')
}

/** Returns the times of several datapoints in order, with the place of each one's point at that time. */
export function rowsOf(all: readonly Points[]): { at: number; places: (number | undefined)[] }[] {
  const rows = new Map<number, (number | undefined)[]>()
  for (const [index, { at }] of all.entries()) {
    for (const [place, time] of at.entries()) {
      const row = rows.get(time) ?? new Array<number | undefined>(all.length).fill(undefined)
      row[index] = place
      rows.set(time, row)
    }
  }
  return [...rows].map(([at, places]) => ({ at, places })).toSorted((a, b) => a.at - b.at)
}

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS

/**
 * Returns a function that writes times of a zone like `2026-11-15T14:00:05+02:00`, with milliseconds only where they are
 * not zero. It looks an offset up once a quarter of an hour: a file may have half a million times.
 */
export function localTimes(timeZone: string): (at: number) => string {
  const offsets = new Map<number, number>()
  const offsetOf = (at: number) => {
    const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS
    const known = offsets.get(quarter) ?? Date.parse(`${toLocalInput(quarter, timeZone)}Z`) - quarter
    offsets.set(quarter, known)
    return known
  }
  return (at) => {
    const offset = offsetOf(at)
    const local = new Date(at + offset).toISOString().replace(/(\.000)?Z$/, '')
    const minutes = Math.abs(offset) / MINUTE_MS
    const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
    return `${local}${offset < 0 ? '-' : '+'}${hour}:${minute}`
  }
}

// A spreadsheet would evaluate a cell that starts like this. Some also evaluate the full-width forms.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** The service writes its files by the same rules, which the console cannot import. A test compares them. */
export function line(cells: readonly (string | number)[]): string {
  const shown = cells.map((cell) => {
    if (typeof cell === 'number') return String(cell)
    const harmless = FORMULA.test(cell) ? `'${cell}` : cell
    return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
  })
  return `${shown.join(',')}\r\n`
}
