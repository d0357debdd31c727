import {
  allFileProblems,
  type CommissionedLoad,
  type CommissionedPeakShaving,
  type CommissionedSlot,
  type CommissioningFile,
  datapointsByReference,
  fullName,
} from '@plantroom/contract/commissioning'
import { WEEKDAYS, type Weekday } from '@plantroom/contract/datapoint'

/** What a number input holds: a number, or a text that is none yet. */
export type DraftNumber = number | string

export interface DraftSlot {
  /** Stays the same while the slot is edited. */
  key: string
  days: Weekday[]
  from: string
  to: string
  mode: 'absolute' | 'offset'
  value: DraftNumber
}

export interface DraftSchedule {
  key: string
  name: string
  datapoint: string
  slots: DraftSlot[]
}

export interface DraftLoad extends Omit<CommissionedLoad, 'priority' | 'shedValue'> {
  priority: DraftNumber
  shedValue: DraftNumber
}

export interface DraftPeakShaving extends Omit<CommissionedPeakShaving, 'limitKw' | 'hourlyLimitsKw' | 'loads'> {
  limit: 'none' | 'one' | 'hourly'
  limitKw: DraftNumber
  hourlyLimitsKw: DraftNumber[]
  loads: DraftLoad[]
}

/** The parts of a commissioning file that are edited on the page. */
export interface Draft {
  schedules: DraftSchedule[]
  peakShaving: DraftPeakShaving | undefined
}

let keys = 0
function newKey(): string {
  keys += 1
  return `k${keys}`
}

/** Copies the editable parts of a file. */
export function draftOf({ schedules = [], peakShaving }: CommissioningFile): Draft {
  return {
    schedules: schedules.map(({ name, datapoint, slots }) => ({
      key: newKey(),
      name,
      datapoint,
      slots: slots.map(({ days, mode = 'absolute', ...slot }) => ({ key: newKey(), ...slot, mode, days: [...days] })),
    })),
    peakShaving: peakShaving && draftOfPeakShaving(peakShaving),
  }
}

function draftOfPeakShaving({ limitKw, hourlyLimitsKw, loads, ...rest }: CommissionedPeakShaving): DraftPeakShaving {
  const one = limitKw ?? hourlyLimitsKw?.[0] ?? ''
  return {
    ...rest,
    limit: limitKw !== undefined ? 'one' : hourlyLimitsKw ? 'hourly' : 'none',
    limitKw: one,
    hourlyLimitsKw: hourlyLimitsKw ? [...hourlyLimitsKw] : Array.from({ length: 24 }, () => one),
    loads: loads.map((load) => ({ ...load })),
  }
}

/** Returns the file with the edited parts in place of its own. What is not a number yet is missing there. */
export function fileOf(base: CommissioningFile, { schedules, peakShaving }: Draft): CommissioningFile {
  const { schedules: _schedules, peakShaving: _peakShaving, ...rest } = base
  return {
    ...rest,
    ...(peakShaving && { peakShaving: peakShavingOf(peakShaving) }),
    ...(schedules.length > 0 && {
      schedules: schedules.map(({ name, datapoint, slots }) => ({ name, datapoint, slots: slots.map(slotOf) })),
    }),
  }
}

function slotOf({ key: _key, days, value, ...slot }: DraftSlot): CommissionedSlot {
  return { ...slot, days: WEEKDAYS.filter((day) => days.includes(day)), value: numberOf(value) }
}

function peakShavingOf({ limit, limitKw, hourlyLimitsKw, loads, ...rest }: DraftPeakShaving): CommissionedPeakShaving {
  return {
    ...rest,
    ...(limit === 'one' && { limitKw: numberOf(limitKw) }),
    ...(limit === 'hourly' && { hourlyLimitsKw: hourlyLimitsKw.map(numberOf) }),
    loads: loads.map((load) => ({ ...load, priority: numberOf(load.priority), shedValue: numberOf(load.shedValue) })),
  }
}

/** An unfinished number counts as none: the rules then name it. */
const numberOf = (value: DraftNumber): number => (typeof value === 'number' ? value : Number.NaN)

const EDITED = /^(?:schedules|peakShaving)\b/

/** Returns the mistakes in the edited parts, by their paths, from the rules of the service. */
export function draftProblems(file: CommissioningFile): ReadonlyMap<string, string> {
  // A missing number must not keep the rules from judging what is around it.
  const problems = [...allFileProblems(withAllNumbers(file)), ...allFileProblems(file)]
  return new Map(problems.filter(({ path }) => EDITED.test(path)).map(({ path, message }) => [path, message]))
}

function withAllNumbers({ schedules = [], peakShaving, ...rest }: CommissioningFile): CommissioningFile {
  const edited = { schedules, ...(peakShaving && { peakShaving }) }
  return { ...rest, ...JSON.parse(JSON.stringify(edited, (_key, value) => (Number.isNaN(value) ? 0 : value))) }
}

/** A slot for working hours, to start from. */
export const newSlot = (): DraftSlot => ({
  key: newKey(),
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '07:00',
  to: '18:00',
  mode: 'absolute',
  value: '',
})

/** Adds a schedule for a datapoint, with a name that is not taken. */
export function withNewSchedule(draft: Draft, datapoint: string): Draft {
  const taken = new Set(draft.schedules.map(({ name }) => name))
  let name = datapoint
  for (let count = 2; taken.has(name); count += 1) name = `${datapoint} ${count}`
  return { ...draft, schedules: [...draft.schedules, { key: newKey(), name, datapoint, slots: [newSlot()] }] }
}

/** Lists the datapoints that a schedule can drive: writable, not a failsafe register, and not driven by another one. */
export function drivableDatapoints(file: CommissioningFile, { schedules }: Draft, own?: string): string[] {
  const find = datapointsByReference(file)
  const placeOf = (reference: string) => find(reference)[0]?.path
  const taken = new Set(schedules.filter(({ key }) => key !== own).map(({ datapoint }) => placeOf(datapoint)))
  return file.connections.flatMap((connection) => {
    const registers = new Set(
      connection.datapoints.flatMap(({ failsafe }) => [failsafe?.reversion, failsafe?.heartbeat]),
    )
    return connection.datapoints.flatMap((datapoint) => {
      if (datapoint.accessType === 'READ' || registers.has(datapoint.name)) return []
      const full = fullName({ path: '', connection: connection.name, datapoint })
      const reference = find(datapoint.name).length === 1 ? datapoint.name : full
      return taken.has(placeOf(reference)) ? [] : [reference]
    })
  })
}
