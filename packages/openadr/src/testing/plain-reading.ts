import type { KnownEvent } from '../wanted/known-event.ts'

/**
 * The standard, read word for word and minute by minute, without any thought of speed. It shares nothing with the product but
 * the form of events.
 */

const NEVER = Number.POSITIVE_INFINITY

interface Span {
  readonly from: number
  readonly to: number
  readonly place: number
  readonly payloads: KnownEvent['event']['intervals'][number]['payloads']
}

/** Whole days and minutes are enough here: no test event has months, except P9999Y, which is never over. */
const lengthOf = (duration: { months: number; ms: number }) => (duration.months > 0 ? NEVER : duration.ms)

/** When each interval of an event counts. */
function spansOf({ event, anchor }: KnownEvent, until: number): Span[] {
  const moment = (start: number | 'now') => (start === 'now' ? anchor : start)
  const given = event.period?.start
  const begin = given === undefined || given === null ? anchor : moment(given)
  const once: Span[] = []
  let cursor = begin
  for (const [place, interval] of event.intervals.entries()) {
    const own = interval.period?.start
    const from = own === undefined || own === null ? cursor : moment(own)
    const duration = interval.period?.duration ?? event.period?.duration ?? null
    let to = NEVER
    if (duration !== null) to = from + lengthOf(duration)
    else {
      const next = event.intervals[place + 1]?.period?.start
      if (next !== undefined && next !== null && moment(next) > from) to = moment(next)
    }
    once.push({ from, to, place, payloads: interval.payloads })
    cursor = to
  }
  if (event.duration === null) return once
  const end = begin + lengthOf(event.duration)
  const cut = (spans: readonly Span[]) => spans.map((span) => ({ ...span, to: Math.min(span.to, end) }))
  const cycle = once.reduce((last, { to }) => Math.max(last, to), begin) - begin
  const hasPlaces = event.intervals.some(({ period }) => (period?.start ?? null) !== null)
  if (hasPlaces || cycle <= 0 || cycle === NEVER) return cut(once)
  const all: Span[] = []
  for (let shift = 0; begin + shift < Math.min(end, until); shift += cycle)
    all.push(...once.map((span) => ({ ...span, from: span.from + shift, to: span.to + shift })))
  return cut(all)
}

/** An event with all its intervals up to some time. */
export interface SpelledOut {
  readonly known: KnownEvent
  readonly spans: readonly Span[]
}
export const spelledOut = (events: readonly KnownEvent[], until: number): SpelledOut[] =>
  events.map((known) => ({ known, spans: spansOf(known, until) }))

export interface Reading {
  readonly value: number
  readonly eventId: string
}

/**
 * The values that count at a moment: of a datapoint that takes at most `most`, and of the limit of a site. `out` has the events of
 * which people opted out, as `EVENT RESOURCE`.
 */
export function readingAt(
  events: readonly SpelledOut[],
  at: number,
  most: number,
  out: ReadonlySet<string> = new Set(),
): { setpoint?: Reading; limit?: Reading } {
  const found = (payload: string, isAllowed: (value: number) => boolean) => {
    const resource = payload === 'DISPATCH_SETPOINT' ? 'battery' : 'connection-point'
    const left = events.filter(({ known }) => !out.has(`${known.event.id} ${resource}`))
    return best(left, at, payload, isAllowed)
  }
  const setpoint = found('DISPATCH_SETPOINT', (value) => value <= most)
  const limit =
    found('IMPORT_CAPACITY_LIMIT', (value) => value >= 0) ??
    found('IMPORT_CAPACITY_SUBSCRIPTION', (value) => value >= 0)
  return { ...(setpoint && { setpoint }), ...(limit && { limit }) }
}

function best(
  events: readonly SpelledOut[],
  at: number,
  payload: string,
  isAllowed: (value: number) => boolean,
): Reading | undefined {
  let found: { priority: number; createdAt: number; reading: Reading } | undefined
  for (const { known, spans } of events) {
    const priority = known.event.priority ?? NEVER
    const createdAt = known.event.createdAt ?? known.anchor
    // Where intervals or payloads of one event overlap, the first one counts.
    const value = spans
      .filter(({ from, to }) => from <= at && at < to)
      .sort((a, b) => a.place - b.place)
      .flatMap(({ payloads }) => payloads)
      .find(({ type, values }) => type === payload && isAllowed(Number(values[0])))?.values[0]
    if (value === undefined) continue
    const isBetter = !found || priority < found.priority || (priority === found.priority && createdAt > found.createdAt)
    if (isBetter) found = { priority, createdAt, reading: { value: Number(value), eventId: known.event.id } }
  }
  return found?.reading
}
