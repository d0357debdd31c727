import { Memory, PlainValue } from './control-state.ts'
import { TechnicalSystem } from './datapoint.ts'
import { time, timeOrNull } from './fields.ts'
import { MovedLoad, PlacedLimit } from './power-limit.ts'
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
import { WRITER_NAMES } from './writers.ts'

/** `kept`: the controller has the data of this device already, so nothing was changed. */
export const RESTORE_OUTCOMES = ['waiting', 'restored', 'kept'] as const
export type RestoreOutcome = (typeof RESTORE_OUTCOMES)[number]

/** An override as the controller before accepted it. */
export const RestoredOverride = object({
  seq: integer(),
  id: text(),
  datapointId: text(),
  value: number(),
  from: time(),
  to: time(),
  reqId: text(),
  placedBy: text(),
  placedByName: text(),
  reason: text(),
  /** It has an audit entry `applied` and none that says `released`. */
  applied: boolean(),
})
export interface RestoredOverride extends Static<typeof RestoredOverride> {}

/** A datapoint that the controller before held, or had not restored yet. */
export const RestoredHold = object({
  datapointId: text(),
  by: oneOf(WRITER_NAMES),
  value: ReportedValue,
  overrideId: nullable(text()),
  /** The exact value from before the hold. Missing when the controller before did not say it. */
  plain: optional(PlainValue),
  /** The same in engineering units, for a controller that did not say the exact one; `null` when it is not known. */
  plainValue: ReportedValue,
})
export interface RestoredHold extends Static<typeof RestoredHold> {}

const { state: limitState, ...placedLimit } = PlacedLimit.properties

/** A power limit as the controller before accepted it. */
export const RestoredLimit = object({
  seq: integer(),
  ...placedLimit,
  placedByName: text(),
  reason: text(),
  /** It has started: its audit entry `applied` may exist. */
  applied: boolean(),
})
export interface RestoredLimit extends Static<typeof RestoredLimit> {}

/** What a controller held, and where its audit ended. */
export const RestoredControl = object({
  /** By the clock of the cloud. */
  at: time(),
  overrides: array(RestoredOverride),
  holds: array(RestoredHold),
  /** Absent when there are none. */
  limits: optional(array(RestoredLimit)),
  /** What power limits last did to loads, by datapoint. */
  moved: optional(record(MovedLoad)),
  /** The last entry of the audit that the cloud has: the new controller continues after it. */
  audit: nullable(object({ seq: integer(), hash: text() })),
})
export interface RestoredControl extends Static<typeof RestoredControl> {}

/** One part of what a new controller gets. It acts when it has all of them. */
export const RestorePart = object({
  replacementId: text(),
  part: integer({ description: 'From 1' }),
  parts: integer(),
  technicalSystem: optional(TechnicalSystem),
  control: optional(RestoredControl),
  /** Override ids that the controller before gave out, each with its caller, so that a late cancel still succeeds. */
  issued: optional(array(object({ id: text(), placedBy: text() }))),
  /** For a controller that lost its memory: the one that it has now, which may be replaced. */
  memory: optional(object({ id: Memory.properties.id, run: Memory.properties.run })),
})
export interface RestorePart extends Static<typeof RestorePart> {}

/** Why an override or power limit is not restored. */
export const LEFT_OUT_REASONS = ['ended', 'cancelled', 'not-commissioned'] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

const datapoint = { datapointId: text(), datapoint: text({ description: 'Its name; the id when it has none' }) }

/** What a new controller gets in place of the old one. */
export const Replacement = object({
  status: oneOf(['none', 'waiting', 'restored', 'kept'], {
    description:
      'Of the last replacement. `waiting`: the new controller has not connected yet. `kept`: it had the data of this device already',
  }),
  requestedAt: timeOrNull('When the last replacement began'),
  finishedAt: timeOrNull('When the new controller had everything'),
  problem: nullable(text(), { description: 'Why the new controller could not be given anything so far' }),
  online: boolean(),
  stateAt: timeOrNull('When the last state of the controller arrived; null when there is none'),
  technicalSystems: array(object({ id: text(), name: text(), connections: integer(), datapoints: integer() })),
  overrides: array(
    object({
      id: text(),
      ...datapoint,
      value: number(),
      from: time(),
      to: time(),
      placedBy: text(),
      state: oneOf(['queued', 'active', 'superseded']),
    }),
    { description: 'Overrides that the new controller gets' },
  ),
  limits: array(
    object({
      id: text(),
      ...datapoint,
      direction: placedLimit.direction,
      kw: number(),
      from: time(),
      to: time(),
      placedBy: text(),
      state: limitState,
    }),
    { description: 'Power limits that the new controller gets, with their meter' },
  ),
  leftOut: array(object({ id: text(), ...datapoint, reason: oneOf(LEFT_OUT_REASONS) }), {
    description: 'Overrides and power limits of the last state that it does not get',
  }),
  releases: array(object({ ...datapoint, value: ReportedValue }), {
    description: 'Datapoints that were held, are no longer, and are set back to this value; null when it is not known',
  }),
  untouched: array(object(datapoint), {
    description: 'Datapoints that were held so long ago that the new controller leaves them as they are',
  }),
  unknownOverrides: integer({
    description: 'Overrides and power limits that the controller accepted and whose values the service does not know',
  }),
})
export interface Replacement extends Static<typeof Replacement> {}
