import { time } from './fields.ts'
import { NOT_BLANK, TAG } from './patterns.ts'
import { PROTOCOLS } from './protocols.ts'
import {
  anyObject,
  anyOf,
  anyOfObjects,
  array,
  boolean,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from './schema.ts'

export const ACCESS_TYPES = ['READ', 'READ_WRITE', 'WRITE'] as const
export type AccessType = (typeof ACCESS_TYPES)[number]

/** The line through two points that maps engineering units to the raw protocol value. */
export const Scaler = object({
  inputValue1: number(),
  outputValue1: number(),
  inputValue2: number(),
  outputValue2: number(),
})
export interface Scaler extends Static<typeof Scaler> {}

/** Engineering units are the raw value: the scaler of a datapoint that was commissioned without one. */
export const IDENTITY_SCALER: Scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 }

/** The commissioned operating envelope. Advice to callers, never enforced. */
export const Envelope = object({ min: number(), max: number() })
export interface Envelope extends Static<typeof Envelope> {}

/** The envelope of a writable datapoint that was commissioned without one: every number that callers can send exactly. */
export const NO_ENVELOPE: Envelope = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/** Reports whether an envelope bounds values. */
export const isBounded = (envelope: Envelope | undefined): envelope is Envelope =>
  envelope !== undefined && !(envelope.min === NO_ENVELOPE.min && envelope.max === NO_ENVELOPE.max)

/**
 * What the controller enforces for every writer, in engineering units. Only the controller and its installer use it. A
 * datapoint is on when its value is not 0.
 */
export const Limits = object({
  min: optional(number()),
  max: optional(number()),
  /** The most that the value moves within a minute, on release too. */
  maxStepPerMinute: optional(number()),
  minOnSeconds: optional(number()),
  minOffSeconds: optional(number()),
  /** By days of the site. */
  maxStartsPerDay: optional(number()),
})
export interface Limits extends Static<typeof Limits> {}

/** A datapoint as `getTechnicalDataPoints` returns it. */
export const ExportedDatapoint = object({
  id: text(),
  connectionId: text(),
  name: text(),
  accessType: oneOf(ACCESS_TYPES),
  writeInputType: optional(text()),
  writeInputData: optional(Envelope),
  analyticsInterval: integer(),
  analyticsCalculateConsumption: optional(boolean()),
  broadcastInterval: integer(),
  writeInterval: integer(),
  cloudScheduleId: nullable(text()),
  scaler: Scaler,
  alarmData: nullable(anyObject()),
  data: anyObject(),
  createdAt: time(),
  updatedAt: time(),
})
export interface ExportedDatapoint extends Static<typeof ExportedDatapoint> {}

/** What a datapoint means to people and to fleet dispatches. Only the cloud uses it: controllers do not get it. */
export const datapointLabels = {
  unit: optional(text({ minLength: 1, maxLength: 32, pattern: NOT_BLANK, description: 'For example kW' })),
  kind: optional(text({ maxLength: 64, pattern: TAG, description: 'What it is, for example setpoint' })),
  tags: optional(
    array(text({ maxLength: 100, pattern: TAG }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'By which fleet dispatches select it, for example battery.charge-power',
    }),
  ),
}

/** A datapoint as it is commissioned. */
export const Datapoint = object({
  ...ExportedDatapoint.properties,
  ...datapointLabels,
  /** Written when the last hold ends, in engineering units. Not limited by the envelope. */
  releaseValue: optional(number()),
  limits: optional(Limits),
})
export interface Datapoint extends Static<typeof Datapoint> {}

/** A controller's link to one protocol endpoint, with the datapoints it owns. */
export const Connection = object({
  id: text(),
  name: text(),
  protocol: oneOf(PROTOCOLS),
  settings: anyObject(),
  datapoints: array(Datapoint),
})
export interface Connection extends Static<typeof Connection> {}

export const PeakShavingLoad = object({
  datapointId: text(),
  /** The load with the lowest number is shed first. */
  priority: number(),
  shedValue: number(),
  minOnSeconds: number(),
  minOffSeconds: number(),
})
export interface PeakShavingLoad extends Static<typeof PeakShavingLoad> {}

/** Sheds loads by priority while the grid meter is above the limit. */
export const PeakShaving = object({
  meterId: text(),
  /** One limit, or 24 by the hour of the day, in kW; `null` when none is set: then nothing is shed. */
  limitKw: nullable(anyOf([number(), array(number())])),
  hysteresisKw: number(),
  cycleSeconds: number(),
  loads: array(PeakShavingLoad),
})
export interface PeakShaving extends Static<typeof PeakShaving> {}

/** What a load stores, so that limits plan only with energy that is there. */
export const LoadStorage = object({
  /** Reads how full it is, in percent. */
  chargeId: text(),
  capacityKwh: number(),
  /** At this charge it supplies no more. */
  lowestPercent: number(),
  /** At this charge it takes up no more. */
  highestPercent: number(),
})
export interface LoadStorage extends Static<typeof LoadStorage> {}

/** A load whose power may be set to any value in a range. Below 0 it supplies. */
export const ModulatingLoad = object({
  datapointId: text(),
  kind: oneOf(['modulating']),
  /** Of its kind, the load with the lowest number is moved first. */
  priority: number(),
  minKw: number(),
  maxKw: number(),
  /** How many kW one engineering unit of the datapoint is: 0.001 where it is in W. */
  kwPerUnit: number(),
  storage: optional(LoadStorage),
})
export interface ModulatingLoad extends Static<typeof ModulatingLoad> {}

/** A load that runs or does not. */
export const SwitchingLoad = object({
  datapointId: text(),
  kind: oneOf(['switching']),
  priority: number(),
  /** What stops it. */
  shedValue: number(),
  /** What it draws while it runs. */
  ratedKw: number(),
  minOnSeconds: number(),
  minOffSeconds: number(),
})
export interface SwitchingLoad extends Static<typeof SwitchingLoad> {}

/** A contact of a ripple-control receiver or control box, which limits the import while it is closed. */
export const LimitInput = object({
  datapointId: text(),
  limitKw: number(),
  /** What the file says in place of kW, for people. */
  limitPercent: optional(number()),
  /** The value of the closed contact. */
  closedValue: number(),
  /** How long it must stay closed or open before it counts. */
  debounceSeconds: number(),
  /** What counts while it cannot be read, as behind a broken wire. */
  whenLost: oneOf(['closed', 'open']),
})
export interface LimitInput extends Static<typeof LimitInput> {}

/** What power limits need to know of a connection point: its meter, and what may be moved. */
export const PowerLimitSettings = object({
  /** Import is positive. */
  meterId: text(),
  /** How many kW one engineering unit of the meter is. */
  meterKwPerUnit: number(),
  /** The site is never limited below this. */
  guaranteedKw: number(),
  /** What the connection point can carry, for people. */
  connectionKw: optional(number()),
  /** Limits while the meter is lost, or until a source has spoken after a power cut. */
  fallback: optional(object({ importKw: optional(number()), exportKw: optional(number()) })),
  loads: array(anyOfObjects([ModulatingLoad, SwitchingLoad])),
  inputs: optional(array(LimitInput)),
})
export interface PowerLimitSettings extends Static<typeof PowerLimitSettings> {}

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** From inclusive, to exclusive, as `HH:MM` of the day it starts on; a `to` not after `from` is on the next day. */
export const ScheduleSlot = object({
  days: array(oneOf(WEEKDAYS)),
  from: text(),
  to: text(),
  /** `offset` adds to the plain value. */
  mode: oneOf(['absolute', 'offset']),
  value: number(),
})
export interface ScheduleSlot extends Static<typeof ScheduleSlot> {}

/** Drives one datapoint by the time of the week. */
export const Schedule = object({ id: text(), name: text(), datapointId: text(), slots: array(ScheduleSlot) })
export interface Schedule extends Static<typeof Schedule> {}

/** A register that must be kept alive during a hold, so that the equipment reverts when its controller dies. */
export const Failsafe = object({
  datapointId: text(),
  /** `reversion`: seconds after which the equipment reverts. `heartbeat`: a number that must keep changing. */
  kind: oneOf(['reversion', 'heartbeat']),
  /** The datapoint, on the same connection, that is the register. */
  registerId: text(),
  /** What a reversion register is armed with; how often a heartbeat must change. */
  seconds: number(),
})
export interface Failsafe extends Static<typeof Failsafe> {}

/** How the controller computes the energy of a datapoint with `analyticsCalculateConsumption`. */
export const Consumption = object({
  datapointId: text(),
  /** Whether the value is a power or counts energy. */
  from: oneOf(['power', 'counter']),
  /** What 1 of its unit is in kW or kWh. */
  factor: number(),
})
export interface Consumption extends Static<typeof Consumption> {}

/** What one commissioning file sets up on a controller. */
export const TechnicalSystem = object({
  id: text(),
  name: text(),
  connections: array(Connection),
  /** IANA name of the site's time zone, which hours of limits and slots are in. UTC when missing. */
  timeZone: optional(text()),
  peakShaving: optional(nullable(PeakShaving)),
  powerLimit: optional(PowerLimitSettings),
  schedules: optional(array(Schedule)),
  failsafes: optional(array(Failsafe)),
  /** Only controllers have it: they do not get the units that it follows from. */
  consumption: optional(array(Consumption)),
})
export interface TechnicalSystem extends Static<typeof TechnicalSystem> {}

/** Returns whether a datapoint can be overridden: it is writable, and no failsafe of these systems has it as its register. */
export function overridableIn(systems: readonly Pick<TechnicalSystem, 'failsafes'>[]) {
  const registers = new Set(systems.flatMap(({ failsafes = [] }) => failsafes.map(({ registerId }) => registerId)))
  return ({ id, accessType }: Pick<Datapoint, 'id' | 'accessType'>) => accessType !== 'READ' && !registers.has(id)
}

/** Returns a datapoint as callers see the register of a failsafe: they can read it, and only the failsafe writes it. */
export function asReadOnly<Of extends Omit<ExportedDatapoint, 'id' | 'connectionId'>>(datapoint: Of) {
  const { writeInputType: _type, writeInputData: _data, analyticsCalculateConsumption: _is, ...telemetry } = datapoint
  return { ...telemetry, accessType: 'READ' as const }
}
