import { fromLocalInput, toLocalInput } from '../time.ts'
import type { Period } from './period.ts'
import type { Points } from './points.ts'

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000
/** A comparison with an earlier time than this has no values. */
const MOST_DAYS = 20 * 366

/** What a chart is compared with: some days before, or the day that a date input holds. */
export type Comparison = { daysBefore: number } | { day: string }

/** Parses the address: `compare=1`, `compare=7` or `compare=2026-11-01`. */
export function comparisonFrom(search: URLSearchParams): Comparison | undefined {
  const given = search.get('compare') ?? ''
  if (/^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))) return { day: given }
  const daysBefore = Number(given)
  return /^\d{1,4}$/.test(given) && daysBefore > 0 ? { daysBefore } : undefined
}

/** Returns the same address with another comparison. */
export function withComparison(search: URLSearchParams, comparison: Comparison | undefined): URLSearchParams {
  const next = new URLSearchParams(search)
  if (!comparison) next.delete('compare')
  else next.set('compare', 'day' in comparison ? comparison.day : String(comparison.daysBefore))
  return next
}

/** Returns how many days before a period its comparison is, negative for later; `undefined` for the same day. */
export function daysBefore(comparison: Comparison, { from }: Period, timeZone: string): number | undefined {
  if ('daysBefore' in comparison) return comparison.daysBefore
  const start = Date.parse(toLocalInput(from, timeZone).slice(0, 10))
  const days = Math.round((start - Date.parse(comparison.day)) / DAY_MS)
  return days === 0 || Math.abs(days) > MOST_DAYS ? undefined : days
}

/** Moves a time by whole days of the site: the clock on the wall shows the same, across clock changes. */
export function movedByDays(at: number, days: number, timeZone: string): number {
  const local = toLocalInput(at, timeZone)
  const [date = '', clock = ''] = local.split('T')
  const moved = new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
  const beyondMinute = at - Math.floor(at / 60_000) * 60_000
  return (fromLocalInput(`${moved}T${clock}`, timeZone) ?? at + days * DAY_MS) + beyondMinute
}

/** Moves points to the days they are compared with. Of an hour that comes twice there, the first is kept. */
export function movedPoints(points: Points, days: number, timeZone: string): Points {
  /** The clock changes at a quarter of an hour, so all times of one move alike. */
  const shifts = new Map<number, number>()
  const shiftOf = (time: number) => {
    const quarter = Math.floor(time / QUARTER_MS)
    const known = shifts.get(quarter) ?? movedByDays(quarter * QUARTER_MS, days, timeZone) - quarter * QUARTER_MS
    shifts.set(quarter, known)
    return known
  }
  const moved = { at: [], value: [], low: [], high: [], count: [] } as Record<keyof Points, number[]>
  for (const [index, time] of points.at.entries()) {
    const at = time + shiftOf(time)
    const last = moved.at.at(-1)
    if (last !== undefined && at <= last) continue
    moved.at.push(at)
    for (const name of ['value', 'low', 'high', 'count'] as const) moved[name].push(points[name][index] as number)
  }
  return moved
}
