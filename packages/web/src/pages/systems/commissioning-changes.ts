import {
  type CommissionedConnection,
  type CommissionedDatapoint,
  type CommissionedPeakShaving,
  type CommissionedSchedule,
  type CommissioningFile,
  datapointsByReference,
  fullName,
} from '@plantroom/contract/commissioning'
import { IDENTITY_SCALER, WEEKDAYS } from '@plantroom/contract/datapoint'

export type Change = 'new' | 'changed' | 'removed'

export interface NamedChange {
  name: string
  change: Change
  /** The fields that differ, by their names in the file. */
  fields: string[]
}

export interface ConnectionChange extends NamedChange {
  datapoints: NamedChange[]
  /** The number of unchanged datapoints. */
  unchanged: number
}

/** What loading a file would change. Items are matched by name and keep their ids. */
export interface CommissioningChanges {
  system: Change | 'same' | 'absent'
  connections: ConnectionChange[]
  schedules: NamedChange[]
  peakShaving: Change | undefined
}

export function changesOf(before: CommissioningFile | undefined, after: CommissioningFile): CommissioningChanges {
  const old = before ?? { technicalSystem: after.technicalSystem, connections: [] }
  const connections = connectionChanges(old.connections, after.connections)
  const schedules = compare(schedulesOf(old), schedulesOf(after))
  const peakShaving = peakChange(peakShavingOf(old), peakShavingOf(after))
  const isSame = connections.length === 0 && schedules.length === 0 && peakShaving === undefined
  return { system: systemChange(before, after, isSame), connections, schedules, peakShaving }
}

function systemChange(before: CommissioningFile | undefined, after: CommissioningFile, isSame: boolean) {
  const isEmpty = after.connections.length === 0
  if (!before) return isEmpty ? 'absent' : 'new'
  if (isEmpty) return 'removed'
  return isSame ? 'same' : 'changed'
}

function connectionChanges(
  before: readonly CommissionedConnection[],
  after: readonly CommissionedConnection[],
): ConnectionChange[] {
  const old = new Map(before.map((connection) => [connection.name, connection]))
  const kept = new Set(after.map(({ name }) => name))
  const there = after.flatMap((connection): ConnectionChange[] => {
    const was = old.get(connection.name)
    const datapoints = compare((was?.datapoints ?? []).map(withDefaults), connection.datapoints.map(withDefaults))
    const touched = datapoints.filter(({ change }) => change !== 'removed').length
    const unchanged = connection.datapoints.length - touched
    if (!was) return [{ name: connection.name, change: 'new', fields: [], datapoints, unchanged }]
    const fields = differing(ownFields(was), ownFields(connection))
    if (fields.length === 0 && datapoints.length === 0) return []
    return [{ name: connection.name, change: 'changed', fields, datapoints, unchanged }]
  })
  const gone = before
    .filter(({ name }) => !kept.has(name))
    .map(({ name, datapoints }): ConnectionChange => {
      return {
        name,
        change: 'removed',
        fields: [],
        datapoints: compare(datapoints.map(withDefaults), []),
        unchanged: 0,
      }
    })
  return [...there, ...gone]
}

const ownFields = ({ protocol, settings }: CommissionedConnection) => ({ protocol, settings })

/** Adds the defaults of the service: writing out a default is no change. */
function withDefaults(datapoint: CommissionedDatapoint): CommissionedDatapoint {
  const writable = {
    writeInputType: 'number',
    writeInputData: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
    analyticsCalculateConsumption: false,
  } as const
  return {
    ...(datapoint.accessType !== 'READ' && writable),
    analyticsInterval: 0,
    broadcastInterval: 0,
    writeInterval: 0,
    scaler: IDENTITY_SCALER,
    ...datapoint,
  }
}

/** Resolves references to datapoints, which can be written in several ways. */
function resolver(file: CommissioningFile): (reference: string) => string {
  const find = datapointsByReference(file)
  return (reference) => {
    const [placed, ...others] = find(reference)
    return placed && others.length === 0 ? fullName(placed) : reference
  }
}

function schedulesOf(file: CommissioningFile): CommissionedSchedule[] {
  const nameOf = resolver(file)
  return (file.schedules ?? []).map((schedule) => ({
    ...schedule,
    datapoint: nameOf(schedule.datapoint),
    slots: schedule.slots.map(({ days, ...slot }) => ({
      mode: 'absolute',
      ...slot,
      days: WEEKDAYS.filter((day) => days.includes(day)),
    })),
  }))
}

function peakShavingOf(file: CommissioningFile): CommissionedPeakShaving | undefined {
  const nameOf = resolver(file)
  const { peakShaving } = file
  return (
    peakShaving && {
      hysteresisKw: 0,
      cycleSeconds: 10,
      ...peakShaving,
      meter: nameOf(peakShaving.meter),
      loads: peakShaving.loads.map((load) => ({
        minOnSeconds: 0,
        minOffSeconds: 0,
        ...load,
        datapoint: nameOf(load.datapoint),
      })),
    }
  )
}

function peakChange(before: object | undefined, after: object | undefined): Change | undefined {
  if (!before || !after) return before ? 'removed' : after && 'new'
  return isSame(before, after) ? undefined : 'changed'
}

/** Lists new and changed items in the order of the file, then removed ones. */
function compare<Item extends { name: string }>(before: readonly Item[], after: readonly Item[]): NamedChange[] {
  const old = new Map(before.map((item) => [item.name, item]))
  const kept = new Set(after.map(({ name }) => name))
  const there = after.flatMap((item): NamedChange[] => {
    const was = old.get(item.name)
    if (!was) return [{ name: item.name, change: 'new', fields: [] }]
    const fields = differing(was, item)
    return fields.length > 0 ? [{ name: item.name, change: 'changed', fields }] : []
  })
  const gone = before
    .filter(({ name }) => !kept.has(name))
    .map(({ name }): NamedChange => ({ name, change: 'removed', fields: [] }))
  return [...there, ...gone]
}

function differing(before: object, after: object): string[] {
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...old.keys(), ...next.keys()])].filter((field) => !isSame(old.get(field), next.get(field)))
}

/** Compares as JSON, ignoring the order of fields. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted)
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
