import { addDuration, type Duration, END_OF_TIME, isNone } from '../normal/durations.ts'
import type { EventInterval, VtnEvent } from '../normal/events.ts'
import type { Payload, Start } from '../normal/parts.ts'
import type { KnownEvent } from './known-event.ts'

/** An interval of an event in time. One that has no end ends at the end of time. */
export interface TimedInterval {
  readonly id: number
  /** Its place in the event, and the round of an event that repeats its intervals. */
  readonly index: number
  readonly round: number
  readonly from: number
  readonly to: number
  readonly payloads: readonly Payload[]
}

/** The most intervals that a timeline repeats. A VTN may write an event that lasts for ever and repeats each millisecond. */
export const MAX_REPEATED = 20_000

/**
 * Returns the intervals of an event that overlap a window, in the order of the event.
 *
 * An interval without a start begins where the one before ends; the first one begins with the event; an event without a
 * start begins when it was first read. An interval without a duration has that of the event's `intervalPeriod`, else it lasts
 * until the next one begins, else it has no end. `randomizeStart` moves starts, never the end of the event. The `duration`
 * of an event repeats its intervals, and cuts them off.
 */
export function timelineOf(known: KnownEvent, window = { from: Number.NEGATIVE_INFINITY, to: END_OF_TIME }) {
  const { event, anchor, seed } = known
  const start = momentOf(event.period?.start ?? null, anchor, anchor)
  const shift = shiftOf(event.period?.randomizeStart, start, seed)
  const once = laidOut(event, start, anchor, seed)
  const lastEnd = once.reduce((end, { to }) => Math.max(end, to), start)
  const end = event.duration ? addDuration(start, event.duration) : lastEnd
  const cycle = cycleOf(known)
  const rounds = cycle === undefined ? { first: 0, count: 1 } : roundsIn({ start, end, cycle }, window)
  const count = Math.min(rounds.count, Math.max(Math.floor(MAX_REPEATED / once.length), 1))
  return Array.from({ length: count }, (_, index) => rounds.first + index).flatMap((round) =>
    once
      .map((interval) => ({
        ...interval,
        round,
        from: Math.min(interval.from + round * (cycle ?? 0) + shift, END_OF_TIME),
        to: Math.min(interval.to + round * (cycle ?? 0) + shift, end),
      }))
      .filter(({ from, to }) => from < to && from < window.to && to > window.from),
  )
}

/** How many intervals the repetition of an event has within a window; 0 for one that is not repeated. */
export function repeatedIn(known: KnownEvent, window: { readonly from: number; readonly to: number }): number {
  const { event, anchor } = known
  const cycle = cycleOf(known)
  if (cycle === undefined || !event.duration) return 0
  const start = momentOf(event.period?.start ?? null, anchor, anchor)
  return roundsIn({ start, end: addDuration(start, event.duration), cycle }, window).count * event.intervals.length
}

/** How long one round of an event takes that repeats its intervals; `undefined` for one that does not. */
export function cycleOf({ event, anchor, seed }: KnownEvent): number | undefined {
  // An interval with a start of its own has one place in time.
  if (!event.duration || event.intervals.some(({ period }) => (period?.start ?? null) !== null)) return undefined
  const start = momentOf(event.period?.start ?? null, anchor, anchor)
  const cycle = laidOut(event, start, anchor, seed).reduce((end, { to }) => Math.max(end, to), start) - start
  return cycle > 0 ? cycle : undefined
}

/** The first start and the last end of an event; `undefined` when it has no interval that lasts. */
export function spanOf(known: KnownEvent): { from: number; to: number } | undefined {
  const { event, anchor } = known
  const start = momentOf(event.period?.start ?? null, anchor, anchor)
  const once = laidOut(event, start, anchor, known.seed).filter(({ from, to }) => from < to)
  if (once.length === 0) return undefined
  const from = once.reduce((earliest, interval) => Math.min(earliest, interval.from), END_OF_TIME)
  const lastEnd = once.reduce((end, { to }) => Math.max(end, to), from)
  return { from, to: event.duration ? addDuration(start, event.duration) : lastEnd }
}

/** When people see an event begin and end: one that was cancelled is over. `undefined` when it has no time. */
export function shownSpan(known: KnownEvent, now: number): { from: number; to: number } | undefined {
  const span = spanOf(known)
  if (span || !isCancelled(known.event)) return span
  const at = Math.min(momentOf(known.event.period?.start ?? null, known.anchor, known.anchor), now)
  return { from: at, to: at }
}

function momentOf(start: Start, anchor: number, otherwise: number): number {
  return start === 'now' ? anchor : (start ?? otherwise)
}

function shiftOf(range: Duration | null | undefined, start: number, seed: number): number {
  return range ? Math.floor((addDuration(start, range) - start) * seed) : 0
}

function laidOut(event: VtnEvent, start: number, anchor: number, seed: number): Omit<TimedInterval, 'round'>[] {
  const { intervals, period } = event
  let cursor = start
  return intervals.map((interval, index) => {
    const from = momentOf(interval.period?.start ?? null, anchor, cursor)
    const duration = interval.period?.duration ?? period?.duration
    const to = duration ? addDuration(from, duration) : nextStart(intervals, index, anchor, from)
    cursor = to
    const shift = shiftOf(interval.period?.randomizeStart, from, seed)
    return { id: interval.id, index, from: Math.min(from + shift, to), to, payloads: interval.payloads }
  })
}

/** Where an interval without any duration ends. */
function nextStart(intervals: readonly EventInterval[], index: number, anchor: number, from: number): number {
  const start = intervals[index + 1]?.period?.start ?? null
  const next = start === null ? END_OF_TIME : momentOf(start, anchor, END_OF_TIME)
  return next > from ? next : END_OF_TIME
}

function roundsIn(
  { start, end, cycle }: { start: number; end: number; cycle: number },
  window: { from: number; to: number },
): { first: number; count: number } {
  // A shift of the start may reach into the round before.
  const first = Math.max(0, Math.floor((window.from - start) / cycle) - 1)
  const last = Math.ceil((Math.min(end, window.to) - start) / cycle)
  return { first, count: Math.max(last - first, 0) }
}

/** Reports whether an event says in so many words that it lasts no time: that cancels it. */
export const isCancelled = ({ duration, period, intervals }: VtnEvent) =>
  (duration !== null && isNone(duration)) ||
  (intervals.length > 0 &&
    intervals.every((interval) => {
      const own = interval.period?.duration ?? period?.duration
      return own ? isNone(own) : false
    }))
