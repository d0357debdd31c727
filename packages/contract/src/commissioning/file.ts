import { ACCESS_TYPES, datapointLabels, Envelope, Scaler, WEEKDAYS } from '../datapoint.ts'
import { name, named } from '../fields.ts'
import { PROTOCOLS } from '../protocols.ts'
import {
  anyObject,
  array,
  boolean,
  closedObject,
  integer,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from '../schema.ts'

const seconds = integer({ minimum: 0, maximum: 86_400 })
/** A datapoint of the file, called as `commissioning-names.ts` says. */
const reference = text({ minLength: 1, maxLength: 2 * 255 + 1 })

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

const CommissionedLoad = closedObject({
  datapoint: reference,
  priority: integer({ minimum: 0, maximum: 1_000_000 }),
  shedValue: number(),
  minOnSeconds: optional(seconds),
  minOffSeconds: optional(seconds),
})

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
  connections: array(CommissionedConnection, { maxItems: 1_000 }),
  peakShaving: optional(CommissionedPeakShaving),
  schedules: optional(array(CommissionedSchedule, { maxItems: 10_000 })),
})
export interface CommissioningFile extends Static<typeof CommissioningFile> {}

/** One finding in a commissioning file, and where: `connections[0].datapoints[2].name`. */
export const FileProblem = object({ path: text(), message: text() })
export interface FileProblem extends Static<typeof FileProblem> {}

/** The reply of `commission`: the ids to call commands with, and what the installer should reconsider. */
export const CommissioningResult = object({
  technicalSystemId: text(),
  connections: array(object({ ...named.properties, datapoints: array(named) })),
  warnings: optional(array(FileProblem, { description: 'Absent when there are none' })),
})
export interface CommissioningResult extends Static<typeof CommissioningResult> {}
