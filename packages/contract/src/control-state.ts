import type { ReportedValue } from './reports.ts'
import type { ConnectionValues } from './values.ts'
import type { Writer } from './writers.ts'

/** The command by which the cloud asks a device for everything that the console shows. Not for partners. */
export const GET_CONTROL_STATE = 'getControlState'

/** The state of a device: live values, holds and overrides. */
export interface ControlState {
  /** By the clock of the device. */
  at: string
  /** The device does not trust its clock, and rejects new overrides. */
  clockSuspect: boolean
  connections: ConnectionValues[]
  holds: Hold[]
  /** Active ones first, then queued ones, then superseded ones. */
  overrides: PlacedOverride[]
  /** How many more there are than this list has. Absent when the list is complete. */
  overridesLeftOut?: number
}

/** A datapoint that is not at its plain value. */
export interface Hold {
  datapointId: string
  /** `plain` while it is being released. */
  by: Writer
  /** What it is held at, or released to; `null` when that is not known. */
  value: ReportedValue
  /** The active override, of demand response. */
  overrideId: string | null
  /** When that override stops being the active one: it ends, or a later one starts. */
  until: string | null
  /** Who writes it when this hold ends, and what; `null` when that is not known. */
  next: { by: Writer; value: ReportedValue }
  /** Who would write it now without any override, and what: the result of cancelling all of them. */
  beneath: { by: Writer; value: ReportedValue }
  /** What the equipment has not done so far. */
  trouble: 'write-failed' | 'not-taken' | null
  /** Why the equipment has not done it, for people; `null` without trouble or where the reason is unknown. */
  troubleReason: string | null
}

/** An override that has not ended. */
export interface PlacedOverride {
  id: string
  datapointId: string
  value: number
  from: string
  to: string
  reqId: string
  /** The caller: the id of a key, or `user:` and that of a person. Empty for an override from before this was stored. */
  placedBy: string
  /** `active`: the datapoint is held at its value. `superseded`: it has started, but a later one is active. */
  state: 'queued' | 'active' | 'superseded'
}

/** The state of a device as the console gets it, with the names that the cloud knows. */
export interface LiveDevice extends Omit<ControlState, 'overrides'> {
  overrides: (PlacedOverride & { placedByName: string | null })[]
}
