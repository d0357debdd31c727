import {
  ACCESS_TYPES,
  type AccessType,
  type Envelope,
  PROTOCOLS,
  type Protocol,
  type Scaler,
  type ScheduleSlot,
  WEEKDAYS,
} from './datapoint.ts'
import { NOT_BLANK } from './patterns.ts'

/** A commissioning file, as an installer writes it: one technical system of a device. */
export interface CommissioningFile {
  technicalSystem: string
  connections: readonly CommissionedConnection[]
  peakShaving?: CommissionedPeakShaving
  schedules?: readonly CommissionedSchedule[]
}

export interface CommissionedConnection {
  name: string
  protocol: Protocol
  settings: Record<string, unknown>
  datapoints: readonly CommissionedDatapoint[]
}

export interface CommissionedDatapoint {
  name: string
  accessType: AccessType
  writeInputType?: 'number'
  writeInputData?: Envelope
  /** Written when the last hold ends, in engineering units; only where the datapoint can be written. */
  releaseValue?: number
  analyticsInterval?: number
  analyticsCalculateConsumption?: boolean
  broadcastInterval?: number
  writeInterval?: number
  scaler?: Scaler
  failsafe?: CommissionedFailsafe
  data: Record<string, unknown>
}

/** One of `reversion` and `heartbeat`: the name of the datapoint, on the same connection, that is the register. */
export interface CommissionedFailsafe {
  reversion?: string
  heartbeat?: string
  seconds: number
}

/** One limit, or one for each hour of the day, or none yet. Datapoints are called as `commissioning-names.ts` says. */
export interface CommissionedPeakShaving {
  meter: string
  limitKw?: number
  hourlyLimitsKw?: readonly number[]
  hysteresisKw?: number
  cycleSeconds?: number
  loads: readonly CommissionedLoad[]
}

export interface CommissionedLoad {
  datapoint: string
  priority: number
  shedValue: number
  minOnSeconds?: number
  minOffSeconds?: number
}

export interface CommissionedSchedule {
  name: string
  datapoint: string
  slots: readonly CommissionedSlot[]
}

export type CommissionedSlot = Omit<ScheduleSlot, 'mode'> & Partial<Pick<ScheduleSlot, 'mode'>>

/** What `commission` answers: the ids to call commands with, and what the installer should reconsider. */
export interface CommissioningResult {
  technicalSystemId: string
  connections: { id: string; name: string; datapoints: { id: string; name: string }[] }[]
  /** Absent when there are none. */
  warnings?: FileProblem[]
}

const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const
const number = { type: 'number' } as const
const seconds = { type: 'integer', minimum: 0, maximum: 86_400 } as const
const reference = { type: 'string', minLength: 1, maxLength: 2 * 255 + 1 } as const
const anyFields = { type: 'object' } as const

function exactly<Fields extends Record<string, object>, Required extends keyof Fields & string>(
  properties: Fields,
  required: readonly Required[],
) {
  return { type: 'object', properties, required, additionalProperties: false } as const
}

const envelope = exactly({ min: number, max: number }, ['min', 'max'])
const scaler = exactly({ inputValue1: number, outputValue1: number, inputValue2: number, outputValue2: number }, [
  'inputValue1',
  'outputValue1',
  'inputValue2',
  'outputValue2',
])

const datapoint = exactly(
  {
    name,
    accessType: { type: 'string', enum: ACCESS_TYPES },
    writeInputType: { type: 'string', enum: ['number'] },
    writeInputData: envelope,
    releaseValue: number,
    analyticsInterval: seconds,
    analyticsCalculateConsumption: { type: 'boolean' },
    broadcastInterval: seconds,
    writeInterval: seconds,
    scaler,
    // That it is one of the two is said in words of our own: a schema would just say that neither fits.
    failsafe: exactly({ reversion: name, heartbeat: name, seconds: { ...seconds, minimum: 1 } }, ['seconds']),
    data: anyFields,
  },
  ['name', 'accessType', 'data'],
)

const connection = exactly(
  {
    name,
    protocol: { type: 'string', enum: PROTOCOLS },
    settings: anyFields,
    datapoints: { type: 'array', items: datapoint, maxItems: 10_000 },
  },
  ['name', 'protocol', 'settings', 'datapoints'],
)

const load = exactly(
  {
    datapoint: reference,
    priority: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    shedValue: number,
    minOnSeconds: seconds,
    minOffSeconds: seconds,
  },
  ['datapoint', 'priority', 'shedValue'],
)

const peakShaving = exactly(
  {
    meter: reference,
    limitKw: number,
    hourlyLimitsKw: { type: 'array', items: number, minItems: 24, maxItems: 24 },
    hysteresisKw: { type: 'number', minimum: 0 },
    cycleSeconds: { type: 'integer', minimum: 10, maximum: 60 },
    loads: { type: 'array', items: load, maxItems: 1_000 },
  },
  ['meter', 'loads'],
)

const timeOfDay = { type: 'string', maxLength: 20, description: 'HH:MM' } as const
const slot = exactly(
  {
    days: { type: 'array', items: { type: 'string', enum: WEEKDAYS }, maxItems: 7 },
    from: timeOfDay,
    to: timeOfDay,
    mode: { type: 'string', enum: ['absolute', 'offset'] },
    value: number,
  },
  ['days', 'from', 'to', 'value'],
)

const schedule = exactly({ name, datapoint: reference, slots: { type: 'array', items: slot, maxItems: 1_000 } }, [
  'name',
  'datapoint',
  'slots',
])

/** The shape of a commissioning file. Settings and data belong to the protocol: its driver judges them. */
export const commissioningSchema = exactly(
  {
    technicalSystem: name,
    connections: { type: 'array', items: connection, maxItems: 1_000 },
    peakShaving,
    schedules: { type: 'array', items: schedule, maxItems: 10_000 },
  },
  ['technicalSystem', 'connections'],
)

/** One finding in a commissioning file, and where: `connections[0].datapoints[2].name`. */
export interface FileProblem {
  path: string
  message: string
}
