import type { PlacementTarget } from '../mapping/target.ts'

/** Where a placement comes from. */
export interface Origin {
  /** `null`: the fallback of the mapping, because the VTN is silent. */
  readonly event: { readonly id: string; readonly version: string; readonly intervalId: number } | null
  readonly payload: string
  readonly resourceName: string
}

/** One override or power limit that should exist. Those for one target never overlap. */
export interface Placement {
  /**
   * Derived from everything below: equal keys are the same placement, at any time and in any process. One that changes in
   * any way has another key.
   */
  readonly key: string
  readonly target: PlacementTarget
  /** The setpoint, or the limit in kW. */
  readonly value: number
  /** May be in the past: the event began before we read it. */
  readonly from: number
  /** At most 24 hours after `from`. What lasts longer continues in the next placement. */
  readonly to: number
  readonly origin: Origin
}

/** What became of a payload that is not placed as it is. */
export const NOTE_KINDS = {
  'unknown-payload': 'The profile does not know the payload. It is not acted on.',
  shown: 'The payload is for information, for example a price. It is not acted on.',
  'not-addressed': 'The targets of the event name no mapped resource.',
  'opted-out': 'People at the site took the resource out of the event.',
  'not-mapped': 'No rule of the addressed resources has this payload.',
  'no-datapoint': 'The datapoint of the rule is not commissioned, or cannot be written.',
  'not-a-value': 'The payload has no value, several, or one that the profile does not allow.',
  'not-in-table': 'The table of the rule has no entry for the level.',
  'wrong-unit': 'The unit cannot be converted into the one of the profile.',
  'outside-envelope': 'The datapoint does not take the value, and the rule refuses it.',
  clamped: 'The nearest value that the datapoint takes is used.',
  'no-baseline': 'No event has the baseline from which the flexibility is subtracted.',
  outranked: 'An event with a higher priority counts, at least for some of the time.',
  cancelled: 'The event or interval lasts 0 seconds.',
  'no-intervals': 'The event has no intervals.',
  'too-many-intervals': 'The event repeats its intervals too often. It is not acted on.',
} as const
export type NoteKind = keyof typeof NOTE_KINDS

export interface Note {
  readonly kind: NoteKind
  readonly eventId: string
  /** The first interval that it is about; `null`: the whole event. */
  readonly intervalId: number | null
  readonly payload: string | null
  readonly resourceName: string | null
  /** The value that was refused or clamped, the unit, or the id of the event that counts instead. */
  readonly detail: string | null
}
