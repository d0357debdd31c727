import type { VtnEvent } from '../normal/events.ts'
import type { KnownEvent } from './known-event.ts'
import { spanOf } from './timeline.ts'

/** What we know after reading an event: `previous` is what we knew about the same id. */
export function know(previous: KnownEvent | undefined, event: VtnEvent, now: number, seed: number): KnownEvent {
  if (!previous) return { event, anchor: now, seed, changedAt: now }
  // An event that is moved to "now" starts when it is moved.
  const keepsAnchor = startsNow(previous.event) || !startsNow(event)
  const anchor = keepsAnchor ? previous.anchor : now
  const { changes = 0 } = previous
  if (event.version === previous.event.version) return { ...previous, event, anchor, changes }
  const endBefore = spanOf(previous)?.to
  const changed = { changes: changes + 1, changedAt: now, ...(endBefore !== undefined && { endBefore }) }
  return { event, anchor, seed: previous.seed, ...changed }
}

/** Reports whether some of the event starts when it is first read. */
const startsNow = ({ period, intervals }: VtnEvent) =>
  period === null ||
  period.start === null ||
  period.start === 'now' ||
  intervals.some((interval) => interval.period?.start === 'now')
