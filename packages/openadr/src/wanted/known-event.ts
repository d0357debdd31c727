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
  /** When we first read it as it is now; missing in what was stored before this was remembered. */
  readonly changedAt?: number
  /** When it would have ended without its last change. */
  readonly endBefore?: number
}
