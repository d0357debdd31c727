export const ACCESS_TYPES = ['READ', 'READ_WRITE', 'WRITE'] as const
export type AccessType = (typeof ACCESS_TYPES)[number]

/** The line through two points that maps engineering units to the raw protocol value. */
export interface Scaler {
  inputValue1: number
  outputValue1: number
  inputValue2: number
  outputValue2: number
}

/** The commissioned operating envelope. Advice to callers, never enforced. */
export interface Envelope {
  min: number
  max: number
}

/** A datapoint as the device knows it. `getTechnicalDataPoints` returns it without `releaseValue`. */
export interface Datapoint {
  id: string
  connectionId: string
  name: string
  accessType: AccessType
  writeInputType?: string
  writeInputData?: Envelope
  /** Written when the last hold ends, in engineering units. Not limited by the envelope. */
  releaseValue?: number
  analyticsInterval: number
  analyticsCalculateConsumption?: boolean
  broadcastInterval: number
  writeInterval: number
  cloudScheduleId: string | null
  scaler: Scaler
  alarmData: object | null
  data: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

/** A device's link to one protocol endpoint, with the datapoints it owns. */
export interface Connection {
  id: string
  name: string
  protocol: Protocol
  settings: Record<string, unknown>
  datapoints: readonly Datapoint[]
}

export const PROTOCOLS = ['modbus-tcp', 'mqtt', 'obix'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** What one commissioning file sets up on a device. */
export interface TechnicalSystem {
  id: string
  name: string
  connections: readonly Connection[]
  /** IANA name of the site's time zone: hours of limits and slots are meant in it. UTC when missing. */
  timeZone?: string
  peakShaving?: PeakShaving | null
  schedules?: readonly Schedule[]
  failsafes?: readonly Failsafe[]
}

/** Sheds loads by priority while the grid meter is above the limit. */
export interface PeakShaving {
  meterId: string
  /** One limit, or 24 by the hour of the day, in kW; `null` when none was given: then nothing is changed. */
  limitKw: number | readonly number[] | null
  hysteresisKw: number
  cycleSeconds: number
  loads: readonly PeakShavingLoad[]
}

export interface PeakShavingLoad {
  datapointId: string
  /** The load of the lowest number is shed first. */
  priority: number
  shedValue: number
  minOnSeconds: number
  minOffSeconds: number
}

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** Drives one datapoint by the time of the week. */
export interface Schedule {
  id: string
  name: string
  datapointId: string
  slots: readonly ScheduleSlot[]
}

/** From inclusive, to exclusive, as `HH:MM` of the day it starts on; a `to` that is not after `from` is of the next day. */
export interface ScheduleSlot {
  days: readonly Weekday[]
  from: string
  to: string
  /** `offset` adds to the plain value. */
  mode: 'absolute' | 'offset'
  value: number
}

/** What the equipment offers for the case that its controller dies: a register that must be kept alive while a claim holds. */
export interface Failsafe {
  datapointId: string
  /** `reversion`: seconds after which the equipment falls back by itself. `heartbeat`: a number that must keep changing. */
  kind: 'reversion' | 'heartbeat'
  /** The datapoint, on the same connection, that is the register. */
  registerId: string
  /** What a reversion register is armed with; how often a heartbeat must change. */
  seconds: number
}

/** Engineering units are the raw value: the scaler of a datapoint that was commissioned without one. */
export const IDENTITY_SCALER: Scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 }
