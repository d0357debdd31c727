import { fromLocalInput, readTime, toLocalInput } from '../time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LAST = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '365d': 365 * DAY_MS,
} as const

export type LastRange = keyof typeof LAST
export const LAST_RANGES = Object.keys(LAST) as readonly LastRange[]

/** From inclusive, to exclusive, in milliseconds. */
export interface Period {
  from: number
  to: number
}

/** The range of a chart: the time up to now, a whole day in the time zone of the site, or a period of one's own. */
export type ChartRange = { kind: LastRange } | { kind: 'day'; day: string } | ({ kind: 'own' } & Period)

/** The shortest and the longest period of a chart. */
const SHORTEST_MS = 10_000
const LONGEST_MS = 20 * 366 * DAY_MS

/** Parses the address; returns `fallback` when it has no valid range. */
export function rangeFrom(search: URLSearchParams, timeZone: string, fallback: LastRange): ChartRange {
  const day = search.get('day')
  if (day && /^\d{4}-\d\d-\d\d$/.test(day) && fromLocalInput(`${day}T00:00`, timeZone) !== undefined) {
    return { kind: 'day', day }
  }
  const last = search.get('range')
  if (last !== null && Object.hasOwn(LAST, last)) return { kind: last as LastRange }
  const own = periodFrom(search)
  return own ? { kind: 'own', ...own } : { kind: fallback }
}

/** Parses the part of the range that the address zooms to; `undefined` when it shows the whole range. */
export function zoomFrom(search: URLSearchParams): Period | undefined {
  return search.has('day') || search.has('range') || search.has('hold') ? periodFrom(search) : undefined
}

function periodFrom(search: URLSearchParams): Period | undefined {
  const [from, to] = ['from', 'to'].map((name) => readTime(search.get(name) ?? ''))
  if (from === undefined || to === undefined) return undefined
  const period = { from: Date.parse(from), to: Date.parse(to) }
  return period.to - period.from >= SHORTEST_MS && period.to - period.from <= LONGEST_MS ? period : undefined
}

/** Returns the same address with another range, showing all of it. */
export function withRange(search: URLSearchParams, range: ChartRange): URLSearchParams {
  const next = withoutRange(search)
  if (range.kind === 'own') return withPeriod(next, range)
  if (range.kind === 'day') next.set('day', range.day)
  else next.set('range', range.kind)
  return next
}

/** Returns the same address zoomed to a period; the whole range without one. */
export function withZoom(search: URLSearchParams, range: ChartRange, zoom: Period | undefined): URLSearchParams {
  if (search.has('hold')) {
    const next = new URLSearchParams(search)
    next.delete('from')
    next.delete('to')
    return zoom ? withPeriod(next, zoom) : next
  }
  const next = withRange(search, range)
  return zoom ? withPeriod(next, zoom) : next
}

function withPeriod(search: URLSearchParams, { from, to }: Period): URLSearchParams {
  search.set('from', new Date(Math.round(from / 1000) * 1000).toISOString())
  search.set('to', new Date(Math.round(to / 1000) * 1000).toISOString())
  return search
}

export function withoutRange(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of ['day', 'range', 'from', 'to', 'hold']) next.delete(name)
  return next
}

/** Returns the bounds of a range. A day has 23 or 25 hours twice a year. */
export function boundsOf(range: ChartRange, { now, timeZone }: { now: number; timeZone: string }): Period {
  if (range.kind === 'own') return { from: range.from, to: range.to }
  if (range.kind !== 'day') return { from: now - LAST[range.kind], to: now }
  const from = fromLocalInput(`${range.day}T00:00`, timeZone) ?? now
  // Noon of the next day is safe from clock changes.
  const nextDay = toLocalInput(from + 36 * HOUR_MS, timeZone).slice(0, 10)
  return { from, to: fromLocalInput(`${nextDay}T00:00`, timeZone) ?? from + DAY_MS }
}

/** Reports whether a range ends now, and so moves with the time. */
export const isRolling = (range: ChartRange): range is { kind: LastRange } => Object.hasOwn(LAST, range.kind)

/** A period to load: its key stays while the bounds of a range that ends now move. */
export interface LoadedPeriod {
  key: string
  bounds: () => Period
  /** How often to load it again; false once it has passed. */
  refreshMs: number | false
}

/** Returns what to load for a range, or for the part of it that the address zooms to. */
export function historyPeriod({
  range,
  zoom,
  timeZone,
  now,
}: {
  range: ChartRange
  zoom: Period | undefined
  timeZone: string
  now: () => number
}): LoadedPeriod {
  // When about a pixel has passed, within reason.
  if (!zoom && isRolling(range)) {
    const refreshMs = Math.min(300_000, Math.max(10_000, LAST[range.kind] / 500))
    return { key: range.kind, bounds: () => boundsOf(range, { now: now(), timeZone }), refreshMs }
  }
  const { from, to } = zoom ?? boundsOf(range, { now: now(), timeZone })
  return { key: `${from} ${to}`, bounds: () => ({ from, to }), refreshMs: to > now() - 60_000 && 30_000 }
}

/** Returns the end of the axis: it includes planned overrides, up to half of the range. */
export function axisEnd(range: ChartRange, { to, plannedUntil }: { to: number; plannedUntil: number }): number {
  return isRolling(range) ? Math.max(to, Math.min(plannedUntil, to + LAST[range.kind] / 2)) : to
}

/** Returns today, as a date input holds it. */
export const today = (now: number, timeZone: string) => toLocalInput(now, timeZone).slice(0, 10)

/** Scales a period around a point, given as a share from its start: 0.5 halves it, 2 doubles it. */
export function zoomed({ from, to }: Period, factor: number, around = 0.5): Period {
  const span = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (to - from) * factor))
  const middle = from + (to - from) * around
  const start = Math.max(0, middle - span * around)
  return { from: start, to: start + span }
}

/** Moves a period by a share of its length, later when positive. It always includes some of the past. */
export function panned({ from, to }: Period, share: number, now: number): Period {
  const span = to - from
  const start = Math.max(0, Math.min(from + span * share, Math.max(from, now - span * 0.1)))
  return { from: start, to: start + span }
}
