import type { VtnEvent } from '../normal/events.ts'

/** An event together with what we remember about it across polls and restarts. */
export interface KnownEvent {
  readonly event: VtnEvent
  /** When `now` is, in an event that starts "now". Kept while the event says so. */
  readonly anchor: number
  /** From 0 to below 1: where in its `randomizeStart` the event starts. Kept for the life of the event. */
  readonly seed: number
  /** How often it has changed since we first read it; missing before the first time. It may change to what it once was. */
  readonly changes?: number
}

/** What we know after reading an event: `previous` is what we knew about the same id. */
export function know(previous: KnownEvent | undefined, event: VtnEvent, now: number, seed: number): KnownEvent {
  if (!previous) return { event, anchor: now, seed }
  // An event that is moved to "now" starts when it is moved.
  const keepsAnchor = startsNow(previous.event) || !startsNow(event)
  const { changes = 0, seed: kept } = previous
  return {
    event,
    anchor: keepsAnchor ? previous.anchor : now,
    seed: kept,
    changes: event.version === previous.event.version ? changes : changes + 1,
  }
}

/** Reports whether some of the event starts when it is first read. */
const startsNow = ({ period, intervals }: VtnEvent) =>
  period === null ||
  period.start === null ||
  period.start === 'now' ||
  intervals.some((interval) => interval.period?.start === 'now')
