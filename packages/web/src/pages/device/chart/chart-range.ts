import { fromLocalInput, toLocalInput } from '../../../parts/time.ts'

const HOUR_MS = 3_600_000
const LAST = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '365d': 365 * 24 * HOUR_MS,
} as const

/** The range of the chart: the time up to now, or a whole day in the time zone of the site. */
export type ChartRange = { kind: keyof typeof LAST } | { kind: 'day'; day: string }

/** Parses the address; returns `fallback` when it has no valid range. */
export function rangeFrom(search: URLSearchParams, timeZone: string, fallback: keyof typeof LAST): ChartRange {
  const day = search.get('day')
  if (day && fromLocalInput(`${day}T00:00`, timeZone) !== undefined) return { kind: 'day', day }
  const last = search.get('range')
  return { kind: last !== null && Object.hasOwn(LAST, last) ? (last as keyof typeof LAST) : fallback }
}

/** Returns the same address with another range. */
export function withRange(search: URLSearchParams, range: ChartRange): URLSearchParams {
  const next = withoutRange(search)
  if (range.kind === 'day') next.set('day', range.day)
  else next.set('range', range.kind)
  return next
}

export function withoutRange(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search)
  next.delete('day')
  next.delete('range')
  return next
}

/** Returns the bounds of a range in milliseconds. A day has 23 or 25 hours twice a year. */
export function boundsOf(range: ChartRange, { now, timeZone }: { now: number; timeZone: string }) {
  if (range.kind !== 'day') return { from: now - LAST[range.kind], to: now }
  const from = fromLocalInput(`${range.day}T00:00`, timeZone) ?? now
  // Noon of the next day is safe from clock changes.
  const nextDay = toLocalInput(from + 36 * HOUR_MS, timeZone).slice(0, 10)
  return { from, to: fromLocalInput(`${nextDay}T00:00`, timeZone) ?? from + 24 * HOUR_MS }
}

/** Returns the end of the axis: it includes planned overrides, up to half of the range. */
export function axisEnd(range: ChartRange, { to, plannedUntil }: { to: number; plannedUntil: number }): number {
  return range.kind === 'day' ? to : Math.max(to, Math.min(plannedUntil, to + LAST[range.kind] / 2))
}

/** Returns today, as a date input holds it. */
export const today = (now: number, timeZone: string) => toLocalInput(now, timeZone).slice(0, 10)
