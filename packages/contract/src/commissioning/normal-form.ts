import { IDENTITY_SCALER, isBounded, WEEKDAYS, type Weekday } from '../datapoint.ts'
import type { CommissionedDatapoint, CommissioningFile } from './file.ts'
import { datapointsByReference, fullName } from './names.ts'
import { INPUT_DEFAULTS, STORAGE_DEFAULTS } from './power-limit-part.ts'

/**
 * The parts of a commissioning file in the one form in which equal meanings are equal: with the defaults of the service,
 * and with references in full. Writing out a default is then no change.
 */

export function normalDatapoint(datapoint: CommissionedDatapoint): CommissionedDatapoint {
  const writable = { writeInputType: 'number', analyticsCalculateConsumption: false } as const
  return {
    ...(datapoint.accessType !== 'READ' && writable),
    analyticsInterval: 0,
    broadcastInterval: 0,
    writeInterval: 0,
    scaler: IDENTITY_SCALER,
    ...withoutDefaults(datapoint),
  }
}

/** Leaves out an envelope that allows everything, and tags that name none. */
function withoutDefaults({ writeInputData, tags, ...datapoint }: CommissionedDatapoint): CommissionedDatapoint {
  return {
    ...datapoint,
    ...(isBounded(writeInputData) && { writeInputData }),
    ...(tags && tags.length > 0 && { tags }),
  }
}

export interface NormalSlot {
  days: readonly Weekday[]
  from: string
  to: string
  mode: 'absolute' | 'offset'
  value: number
}

interface NormalSchedule {
  name: string
  /** In full: `Connection/Datapoint`. */
  datapoint: string
  slots: NormalSlot[]
}

export function normalSchedules(file: CommissioningFile): NormalSchedule[] {
  const nameOf = resolver(file)
  return (file.schedules ?? []).map(({ name, datapoint, slots }) => ({
    name,
    datapoint: nameOf(datapoint),
    slots: slots.map(({ days, from, to, mode = 'absolute', value }) => ({
      days: WEEKDAYS.filter((day) => days.includes(day)),
      from,
      to,
      mode,
      value,
    })),
  }))
}

/** Peak shaving or a power limit. Loads and contacts are named by their datapoints. */
export interface ControlPart {
  fields: object
  loads: { name: string }[]
  inputs: { name: string }[]
}

export function normalPeakShaving(file: CommissioningFile): ControlPart | undefined {
  if (!file.peakShaving) return undefined
  const nameOf = resolver(file)
  const { meter, loads, ...fields } = file.peakShaving
  return {
    fields: { meter: nameOf(meter), hysteresisKw: 0, cycleSeconds: 10, ...fields },
    loads: loads.map(({ datapoint, ...load }) => ({ name: nameOf(datapoint), ...NO_TIMES, ...load })),
    inputs: [],
  }
}

export function normalPowerLimit(file: CommissioningFile): ControlPart | undefined {
  if (!file.powerLimit) return undefined
  const nameOf = resolver(file)
  const { meter, loads, inputs = [], ...fields } = file.powerLimit
  return {
    fields: { meter: nameOf(meter), ...fields },
    loads: loads.map(({ datapoint, storage, ...load }) => ({
      name: nameOf(datapoint),
      ...(load.kind === 'switching' && NO_TIMES),
      ...load,
      ...(storage && { storage: { ...STORAGE_DEFAULTS, ...storage, charge: nameOf(storage.charge) } }),
    })),
    inputs: inputs.map(({ datapoint, ...input }) => ({ name: nameOf(datapoint), ...INPUT_DEFAULTS, ...input })),
  }
}

const NO_TIMES = { minOnSeconds: 0, minOffSeconds: 0 }

/** Resolves references to datapoints, which can be written in several ways. */
function resolver(file: CommissioningFile): (reference: string) => string {
  const find = datapointsByReference(file)
  return (reference) => {
    const [placed, ...others] = find(reference)
    return placed && others.length === 0 ? fullName(placed) : reference
  }
}
