import { Actor } from '../activity.ts'
import { ROLLBACK_REASONS } from '../control-state.ts'
import { ACCESS_TYPES, datapointLabels, Envelope, Scaler, WEEKDAYS } from '../datapoint.ts'
import { name, named, time, timeOrNull } from '../fields.ts'
import { PROTOCOLS } from '../protocols.ts'
import {
  anyObject,
  array,
  boolean,
  closedObject,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from '../schema.ts'
import { loadFields, reference, seconds } from './fields.ts'
import { MATCHES } from './match.ts'
import { CommissionedPowerLimit } from './power-limit-part.ts'

/** One of `reversion` and `heartbeat`: the name of the datapoint, on the same connection, that is the register. */
const CommissionedFailsafe = closedObject({
  // That it is one of the two is checked apart: a schema would only say that neither fits.
  reversion: optional(name),
  heartbeat: optional(name),
  seconds: integer({ minimum: 1, maximum: 86_400 }),
})
export interface CommissionedFailsafe extends Static<typeof CommissionedFailsafe> {}

/** Enforced for every writer, unlike `writeInputData`, which is advice to callers. */
const CommissionedLimits = closedObject({
  min: optional(number()),
  max: optional(number()),
  // That it is above 0 is checked apart.
  maxStepPerMinute: optional(number()),
  minOnSeconds: optional(integer({ minimum: 1, maximum: 86_400 })),
  minOffSeconds: optional(integer({ minimum: 1, maximum: 86_400 })),
  maxStartsPerDay: optional(integer({ minimum: 1, maximum: 10_000 })),
})

const CommissionedDatapoint = closedObject({
  name,
  accessType: oneOf(ACCESS_TYPES),
  ...datapointLabels,
  writeInputType: optional(oneOf(['number'])),
  writeInputData: optional(closedObject(Envelope.properties)),
  /** Written when the last hold ends, in engineering units; only where the datapoint can be written. */
  releaseValue: optional(number()),
  limits: optional(CommissionedLimits),
  analyticsInterval: optional(seconds),
  analyticsCalculateConsumption: optional(boolean()),
  broadcastInterval: optional(seconds),
  writeInterval: optional(seconds),
  scaler: optional(closedObject(Scaler.properties)),
  failsafe: optional(CommissionedFailsafe),
  data: anyObject(),
})
export interface CommissionedDatapoint extends Static<typeof CommissionedDatapoint> {}

const CommissionedConnection = closedObject({
  name,
  protocol: oneOf(PROTOCOLS),
  settings: anyObject(),
  datapoints: array(CommissionedDatapoint, { maxItems: 10_000 }),
})
export interface CommissionedConnection extends Static<typeof CommissionedConnection> {}

const CommissionedLoad = closedObject({ ...loadFields, shedValue: number() })
export interface CommissionedLoad extends Static<typeof CommissionedLoad> {}

/** One limit, or one for each hour of the day, or none yet. */
const CommissionedPeakShaving = closedObject({
  meter: reference,
  limitKw: optional(number()),
  hourlyLimitsKw: optional(array(number(), { minItems: 24, maxItems: 24 })),
  hysteresisKw: optional(number({ minimum: 0 })),
  cycleSeconds: optional(integer({ minimum: 10, maximum: 60 })),
  loads: array(CommissionedLoad, { maxItems: 1_000 }),
})
export interface CommissionedPeakShaving extends Static<typeof CommissionedPeakShaving> {}

const timeOfDay = text({ maxLength: 20, description: 'HH:MM' })
const CommissionedSlot = closedObject({
  days: array(oneOf(WEEKDAYS), { maxItems: 7 }),
  from: timeOfDay,
  to: timeOfDay,
  mode: optional(oneOf(['absolute', 'offset'])),
  value: number(),
})
export interface CommissionedSlot extends Static<typeof CommissionedSlot> {}

const CommissionedSchedule = closedObject({
  name,
  datapoint: reference,
  slots: array(CommissionedSlot, { maxItems: 1_000 }),
})
export interface CommissionedSchedule extends Static<typeof CommissionedSchedule> {}

/**
 * A commissioning file, as an installer writes it: one technical system of a device. Settings and data belong to the
 * protocol: its driver validates them.
 */
export const CommissioningFile = closedObject({
  technicalSystem: name,
  /** About this change, not about the system: nothing keeps it. */
  sameEquipment: optional(
    boolean({ description: 'Changed addresses reach the same equipment, so what is held stays held over them' }),
  ),
  /** About this change too. */
  keep: optional(
    boolean({ description: 'The controller does not go back by itself, even if it loses connections that it had' }),
  ),
  /** For people: the system does not have them, its versions do. */
  templates: optional(
    array(name, {
      maxItems: 100,
      description: 'The templates that the file was made from. Without it, those of the version before count',
    }),
  ),
  connections: array(CommissionedConnection, { maxItems: 1_000 }),
  peakShaving: optional(CommissionedPeakShaving),
  powerLimit: optional(CommissionedPowerLimit),
  schedules: optional(array(CommissionedSchedule, { maxItems: 10_000 })),
})
export interface CommissioningFile extends Static<typeof CommissioningFile> {}

/** One finding in a commissioning file, and where: `connections[0].datapoints[2].name`. */
export const FileProblem = object({ path: text(), message: text() })
export interface FileProblem extends Static<typeof FileProblem> {}

/** How an item of a file got its id. */
export const MatchedItem = object({
  path: text({ description: 'In the file, like connections[0].datapoints[2]' }),
  id: text(),
  by: oneOf([...MATCHES, 'new'], {
    description: '`address` or `settings`: renamed, with the id it had. `new`: not commissioned before',
  }),
  was: optional(text({ description: 'The name it had' })),
})
export interface MatchedItem extends Static<typeof MatchedItem> {}

const matched = optional(
  array(MatchedItem, {
    description:
      'What is renamed and keeps its id, and what is added to a system that exists. What keeps its name is not listed, nor are the datapoints of a new connection. Absent when there is nothing to list',
  }),
)

/** The reply of `commission`: the ids to call commands with, and what the installer should reconsider. */
export const CommissioningResult = object({
  technicalSystemId: text(),
  connections: array(object({ ...named.properties, datapoints: array(named) })),
  matched,
  warnings: optional(array(FileProblem, { description: 'Absent when there are none' })),
})
export interface CommissioningResult extends Static<typeof CommissioningResult> {}

/** A writable datapoint that a file would remove or move while it is held. */
export const HeldDatapoint = object({
  connection: text(),
  datapoint: text(),
  fields: array(text(), {
    description: 'What must stay the same, for example data.register; `datapoint` if it is removed',
  }),
  fixed: optional(
    array(text(), {
      description:
        'What must stay the same even with sameEquipment. Empty: the hold continues with it. Absent: the controller is too old for it',
    }),
  ),
})
export interface HeldDatapoint extends Static<typeof HeldDatapoint> {}

/** An address that a datapoint writes, as the driver of its protocol says. Two with overlapping ranges are the same. */
export const DeviceTarget = object({
  at: array(integer({ minimum: 0 }), {
    minItems: 2,
    maxItems: 2,
    description: 'The connection and the datapoint, counted from 0',
  }),
  space: text({ maxLength: 64, description: 'A hash of the address, without its range' }),
  start: number(),
  end: number({ description: 'Exclusive' }),
  reach: oneOf(['site', 'everywhere'], {
    description: 'Whose controllers find the same equipment there: those of the site, or all',
  }),
})
export interface DeviceTarget extends Static<typeof DeviceTarget> {}

/** What a controller says of a system that it did not load. */
export const DeviceCheck = object({
  problems: array(FileProblem),
  held: array(HeldDatapoint),
  targets: optional(array(DeviceTarget, { description: 'What the system writes outside of the controller itself' })),
})
export interface DeviceCheck extends Static<typeof DeviceCheck> {}

/** Who changed what is commissioned, and when; each null when that was before versions were kept. */
export const CommissioningChange = object({ at: timeOrNull(), by: nullable(Actor) })
export interface CommissioningChange extends Static<typeof CommissioningChange> {}

/** The reply of a check: everything that a person decides by before the file is loaded. Nothing was changed. */
export const CommissioningCheck = object({
  problems: array(FileProblem, { description: 'What makes the file invalid. Empty for a file that can be loaded' }),
  warnings: array(FileProblem),
  held: array(HeldDatapoint, {
    description: 'Loading is refused while these are held, except with sameEquipment those whose `fixed` is empty',
  }),
  device: object({
    checked: boolean(),
    reason: nullable(text(), { description: 'Why the controller did not check the file' }),
  }),
  base: text({
    description: 'Stands for what is commissioned now. Loading with it fails if that has changed meanwhile',
  }),
  matched,
  before: nullable(CommissioningFile, { description: 'What is commissioned now; null when the system is new' }),
  lastChange: nullable(CommissioningChange, { description: 'Null when the system was never commissioned' }),
})
export interface CommissioningCheck extends Static<typeof CommissioningCheck> {}

/** When and why a controller went back from a version. */
const RolledBackVersion = object({
  at: time(),
  reason: oneOf(ROLLBACK_REASONS),
  lost: array(text(), { description: 'The names of the connections that it lost' }),
})

/** A version of a technical system that was commissioned on a device. */
export const CommissioningVersion = object({
  version: integer({ description: 'Grows by one with every change of the device' }),
  technicalSystemId: text(),
  technicalSystem: text({ description: 'The name' }),
  ...CommissioningChange.properties,
  isCurrent: boolean({ description: 'True for what is commissioned now' }),
  connections: integer(),
  datapoints: integer(),
  schedules: integer(),
  templates: array(text(), { description: 'The templates that the file was made from' }),
  tests: integer({ description: 'Output tests of its datapoints before the next version' }),
  rolledBack: nullable(RolledBackVersion, { description: 'Null for a version that the controller kept' }),
})
export interface CommissioningVersion extends Static<typeof CommissioningVersion> {}

/** How many versions of one system, and of all systems of a device, are kept. */
export const KEPT_VERSIONS = { ofSystem: 20, ofDevice: 60 } as const

/** Reports whether loading a file keeps the hold on a datapoint that it moves. */
export const keepsHold = (
  { fixed }: HeldDatapoint,
  { sameEquipment = false }: Pick<CommissioningFile, 'sameEquipment'>,
) => sameEquipment && fixed?.length === 0
