import { Limits } from './datapoint.ts'
import { time } from './fields.ts'
import { MovedLoad, PlacedLimit, PowerLimitState } from './power-limit.ts'
import { ReportedValue } from './reports.ts'
import {
  array,
  boolean,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  type Static,
  text,
} from './schema.ts'
import { ConnectionValues } from './values.ts'
import { WRITER_NAMES } from './writers.ts'

/** A writer, and what it writes; `null` when that is not known. */
const NextWriter = object({ by: oneOf(WRITER_NAMES), value: ReportedValue })

/**
 * How far the equipment follows. Nothing counts as done before a reading that is newer than the write shows it.
 *
 * - `reading`: the value before is not read yet, so nothing is written over it.
 * - `waiting`: the limits of the datapoint do not allow the value yet.
 * - `writing`: the value is written, or about to be, and no reading shows it yet.
 * - `holding`: a reading shows the value.
 * - `releasing`: the value before is being restored, and no reading shows it yet.
 * - `stuck`: the equipment refuses the value before, or nobody knows it. A person has to close the hold.
 */
export const HOLD_STATES = ['reading', 'waiting', 'writing', 'holding', 'releasing', 'stuck'] as const
export type HoldState = (typeof HOLD_STATES)[number]

/** A datapoint that is not at its plain value. */
export const Hold = object({
  datapointId: text(),
  state: oneOf(HOLD_STATES),
  /** `plain` while it is being released. */
  by: oneOf(WRITER_NAMES),
  /** What it is held at, or released to; `null` when that is not known. */
  value: ReportedValue,
  /** The active override, of demand response. */
  overrideId: nullable(text()),
  /** When that override stops being the active one: it ends, or a later one starts. */
  until: nullable(time()),
  /** What writes it when this hold ends. */
  next: NextWriter,
  /** What would write it now without any override: the result of cancelling all of them. */
  beneath: NextWriter,
  /** What the equipment has not done so far. */
  trouble: nullable(oneOf(['write-failed', 'not-taken'])),
  /** Why the equipment has not done it, for people; `null` without trouble or where the reason is unknown. */
  troubleReason: nullable(text()),
})
export interface Hold extends Static<typeof Hold> {}

/** An override that has not ended. */
export const PlacedOverride = object({
  id: text(),
  datapointId: text(),
  value: number(),
  from: time(),
  to: time(),
  reqId: text(),
  /** The caller: the id of a key, or `user:` and that of a person. Empty for an override from before this was stored. */
  placedBy: text(),
  /** `active`: the datapoint is held at its value. `superseded`: it has started, but a later one is active. */
  state: oneOf(['queued', 'active', 'superseded']),
})
export interface PlacedOverride extends Static<typeof PlacedOverride> {}

/** The limits of a datapoint, and from when on it may be switched on or off, where it may not be now. */
export const ShownLimits = object({
  ...Limits.properties,
  mayStartAt: optional(time()),
  mayStopAt: optional(time()),
})
export interface ShownLimits extends Static<typeof ShownLimits> {}

const shared = {
  /** By the time that the controller judges overrides by. */
  at: time(),
  /** The controller does not know the time, and rejects new overrides. */
  clockSuspect: boolean(),
  connections: array(ConnectionValues),
  holds: array(Hold),
  /** By datapoint. Absent when no datapoint has limits. */
  limits: optional(record(ShownLimits)),
  /** Absent without a commissioned power limit. */
  powerLimit: optional(PowerLimitState),
  /** How many more overrides there are than the list has. Absent when the list is complete. */
  overridesLeftOut: optional(integer()),
}

/** The longest state that a controller publishes unasked, and that the cloud keeps of it. */
export const MAX_STATE_BYTES = 1024 * 1024

/** A value exactly as equipment had it. JSON has no 64-bit integers: those are digits. */
export const PlainValue = object({
  raw: optional(nullable(number())),
  digits: optional(text({ pattern: '^-?\\d{1,20}$' })),
  /** The bytes or text on the wire, where the number alone does not restore it. */
  image: optional(text()),
})
export interface PlainValue extends Static<typeof PlainValue> {}

/** What a replacement needs to know of an override or a power limit. `seq` grows in the order of acceptance. */
export const OverrideNote = object({ seq: integer(), placedByName: text(), reason: text() })

/** What only a replacement of the controller needs, and no person sees. An earlier controller does not say it. */
export const StateNotes = object({
  /** The value from before the hold, by datapoint. */
  plain: record(PlainValue),
  /** By override. */
  overrides: record(OverrideNote),
  /** By power limit. Absent when none is placed. */
  limits: optional(record(OverrideNote)),
  /** By load. Absent when no power limit has moved one. */
  moved: optional(record(MovedLoad)),
})
export interface StateNotes extends Static<typeof StateNotes> {}

/**
 * Which memory a controller has, so that the cloud notices when it is another one or an older copy. An earlier
 * controller does not say it.
 */
export const Memory = object({
  /** Made with the journal. */
  id: text(),
  /** Made at each start of the controller. */
  run: text(),
  /** Grows with every change of the journal: at that start, and now. */
  from: integer(),
  count: integer(),
  /** Why the controller knows that it lacks something. */
  lost: optional(text()),
})
export interface Memory extends Static<typeof Memory> {}

/**
 * Why a controller went back to what it ran before a commissioning file. `not-heard`: it did not hear the cloud again.
 * `connections-lost`: connections that were up before are down. `restarts`: it had to start again and again.
 */
export const ROLLBACK_REASONS = ['not-heard', 'connections-lost', 'restarts'] as const
export type RollbackReason = (typeof ROLLBACK_REASONS)[number]

/** Commissioning files that a controller runs on trial. An earlier controller has no trials. */
export const Trial = object({
  loadIds: array(text()),
  /** Until it is decided, by the controller's running time. 0 while it waits. */
  leftSeconds: integer(),
  /** Connections that were up before, and are down now. */
  down: array(text()),
  /** Datapoints that are held in a way that going back would break. It goes back when they are restored. */
  waitsFor: array(text()),
})
export interface Trial extends Static<typeof Trial> {}

/** The last time that a controller went back. */
export const RolledBack = object({
  loadIds: array(text()),
  at: time(),
  reason: oneOf(ROLLBACK_REASONS),
  /** The names of the lost connections. */
  lost: array(text()),
})
export interface RolledBack extends Static<typeof RolledBack> {}

/** The state of a controller: live values, holds and overrides. */
export const ControlState = object({
  ...shared,
  /** Active ones first, then queued ones, then superseded ones. */
  overrides: array(PlacedOverride),
  notes: optional(StateNotes),
  memory: optional(Memory),
  trial: optional(Trial),
  rolledBack: optional(RolledBack),
})
export interface ControlState extends Static<typeof ControlState> {}

/** An override that was released while the controller was away. The release is sent when the controller is back. */
export const PendingRelease = object({
  overrideId: text(),
  datapointId: text(),
  by: text({ description: 'Who released it, or revoked the key that placed it: the name at that time' }),
  at: time('When it was released'),
})
export interface PendingRelease extends Static<typeof PendingRelease> {}

/** `null` for a caller who neither placed the override or limit nor manages the site. */
const identity = {
  id: nullable(text()),
  reqId: nullable(text()),
  placedBy: nullable(text()),
  placedByName: nullable(text()),
}

/** The state of a controller as the console gets it, with the names that the cloud knows. */
export const LiveDevice = object({
  ...shared,
  overrides: array(object({ ...PlacedOverride.properties, ...identity })),
  powerLimit: optional(
    object({
      ...PowerLimitState.properties,
      limits: array(object({ ...PlacedLimit.properties, ...identity })),
    }),
  ),
  /** Releases that the controller has not confirmed yet. Only for people who manage the site; absent when there are none. */
  pendingReleases: optional(array(PendingRelease)),
  /** Only for people who manage the site; absent when no commissioning file is on trial. */
  trial: optional(Trial),
})
export interface LiveDevice extends Static<typeof LiveDevice> {}

/** A hold that does not come from an override of the key that sees it: which kind of writer has the datapoint. */
export type ForeignHold = Pick<Hold, 'datapointId' | 'by'>

/** The state of a controller as a key gets it: its own overrides, and of others only that they hold something. */
export interface KeyLiveDevice extends Omit<LiveDevice, 'holds' | 'overridesLeftOut'> {
  holds: readonly (Hold | ForeignHold)[]
  /** The list may lack some of its overrides. */
  overridesLeftOut?: null
}
