import { type Change, type FieldChange, fieldChanges, type ItemChange, itemChanges, nameChange } from './compare.ts'
import type { CommissionedConnection, CommissioningFile } from './file.ts'
import {
  type ControlPart,
  type NormalSlot,
  normalDatapoint,
  normalPeakShaving,
  normalPowerLimit,
  normalSchedules,
} from './normal-form.ts'
import { type Renamed, withNewNames } from './renames.ts'

export interface ConnectionChange extends ItemChange {
  datapoints: ItemChange[]
  /** The number of unchanged datapoints. */
  unchanged: number
}

/** A slot before and after. A new one has no `from`, a removed one no `to`. */
export interface SlotChange {
  from: NormalSlot | undefined
  to: NormalSlot | undefined
}

export interface ScheduleChange extends ItemChange {
  /** In full; the new one where it changes. */
  datapoint: string
  slots: SlotChange[]
  /** The slots are the same in another order: of two that overlap, the later one in the list counts. */
  isReordered: boolean
}

/** A change of peak shaving or of the power limit. */
export interface ControlPartChange {
  change: Change
  fields: FieldChange[]
  /** By datapoint. */
  loads: ItemChange[]
  /** The contacts of the power limit, by datapoint. */
  inputs: ItemChange[]
}

/** What loading a file would change, from and to. A renamed item is the same one, with its name as a changed field. */
export interface CommissioningChanges {
  system: Change | 'same' | 'absent'
  connections: ConnectionChange[]
  schedules: ScheduleChange[]
  peakShaving: ControlPartChange | undefined
  powerLimit: ControlPartChange | undefined
}

/** Compares what is commissioned with a file that would replace it. Pure. */
export function changesOf(before: CommissioningFile | undefined, after: CommissioningFile): CommissioningChanges {
  const renamed = withNewNames(before ?? { technicalSystem: after.technicalSystem, connections: [] }, after)
  const old = renamed.file
  const connections = connectionChanges(renamed, after.connections)
  const schedules = scheduleChanges(old, after)
  const peakShaving = controlPartChange(normalPeakShaving(old), normalPeakShaving(after))
  const powerLimit = controlPartChange(normalPowerLimit(old), normalPowerLimit(after))
  const isSame = connections.length === 0 && schedules.length === 0 && !peakShaving && !powerLimit
  return { system: systemChange(before, after, isSame), connections, schedules, peakShaving, powerLimit }
}

function systemChange(before: CommissioningFile | undefined, after: CommissioningFile, isSame: boolean) {
  const isEmpty = after.connections.length === 0
  if (!before) return isEmpty ? 'absent' : 'new'
  if (isEmpty) return 'removed'
  return isSame ? 'same' : 'changed'
}

function connectionChanges(
  { file: { connections: before }, earlierName }: Renamed,
  after: readonly CommissionedConnection[],
): ConnectionChange[] {
  const old = new Map(before.map((connection) => [connection.name, connection]))
  const kept = new Set(after.map(({ name }) => name))
  const there = after.flatMap((connection): ConnectionChange[] => {
    const was = old.get(connection.name)
    const datapoints = itemChanges(
      (was?.datapoints ?? []).map(normalDatapoint),
      connection.datapoints.map(normalDatapoint),
      { earlierName: (datapoint) => earlierName(connection.name, datapoint) },
    )
    const touched = datapoints.filter(({ change }) => change !== 'removed').length
    const unchanged = connection.datapoints.length - touched
    if (!was) return [{ name: connection.name, change: 'new', fields: [], datapoints, unchanged }]
    const fields = [
      ...nameChange(earlierName(connection.name), connection.name),
      ...fieldChanges(ownFields(was), ownFields(connection)),
    ]
    if (fields.length === 0 && datapoints.length === 0) return []
    return [{ name: connection.name, change: 'changed', fields, datapoints, unchanged }]
  })
  const gone = before
    .filter(({ name }) => !kept.has(name))
    .map(({ name, datapoints }): ConnectionChange => {
      const removed = itemChanges(datapoints.map(normalDatapoint), [])
      return { name, change: 'removed', fields: [], datapoints: removed, unchanged: 0 }
    })
  return [...there, ...gone]
}

const ownFields = ({ protocol, settings }: CommissionedConnection) => ({ protocol, settings })

function scheduleChanges(before: CommissioningFile, after: CommissioningFile): ScheduleChange[] {
  const old = new Map(normalSchedules(before).map((schedule) => [schedule.name, schedule]))
  const next = normalSchedules(after)
  const kept = new Set(next.map(({ name }) => name))
  const there = next.flatMap(({ name, datapoint, slots }): ScheduleChange[] => {
    const was = old.get(name)
    const found = slotChanges(was?.slots ?? [], slots)
    const fields = fieldChanges({ ...(was && { datapoint: was.datapoint }) }, { datapoint })
    if (!was) return [{ name, change: 'new', datapoint, fields, slots: found, isReordered: false }]
    const isReordered = found.length === 0 && !isSame(was.slots, slots)
    const isUnchanged = fields.length === 0 && found.length === 0 && !isReordered
    return isUnchanged ? [] : [{ name, change: 'changed', datapoint, fields, slots: found, isReordered }]
  })
  const gone = [...old.values()]
    .filter(({ name }) => !kept.has(name))
    .map(({ name, datapoint, slots }): ScheduleChange => {
      const fields = fieldChanges({ datapoint }, {})
      return { name, change: 'removed', datapoint, fields, slots: slotChanges(slots, []), isReordered: false }
    })
  return [...there, ...gone]
}

/** Pairs the slots that differ, in their order: what has no partner is new or removed. */
function slotChanges(before: readonly NormalSlot[], after: readonly NormalSlot[]): SlotChange[] {
  const removed = without(before, after)
  const added = without(after, before)
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => ({
    from: removed[index],
    to: added[index],
  }))
}

/** Returns the slots that the other list lacks, each as often as it lacks it. */
function without(slots: readonly NormalSlot[], others: readonly NormalSlot[]): NormalSlot[] {
  const left = new Map<string, number>()
  for (const other of others) left.set(keyOf(other), (left.get(keyOf(other)) ?? 0) + 1)
  return slots.filter((slot) => {
    const count = left.get(keyOf(slot)) ?? 0
    left.set(keyOf(slot), count - 1)
    return count <= 0
  })
}

const keyOf = ({ days, from, to, mode, value }: NormalSlot) => JSON.stringify([days, from, to, mode, value])
const isSame = (one: readonly NormalSlot[], other: readonly NormalSlot[]) =>
  one.map(keyOf).join() === other.map(keyOf).join()

function controlPartChange(
  before: ControlPart | undefined,
  after: ControlPart | undefined,
): ControlPartChange | undefined {
  const fields = fieldChanges(before?.fields ?? {}, after?.fields ?? {})
  const loads = itemChanges(before?.loads ?? [], after?.loads ?? [], { withFields: true })
  const inputs = itemChanges(before?.inputs ?? [], after?.inputs ?? [], { withFields: true })
  if (!before || !after) {
    const change = before ? 'removed' : after && 'new'
    return change && { change, fields, loads, inputs }
  }
  const isChanged = fields.length + loads.length + inputs.length > 0
  return isChanged ? { change: 'changed', fields, loads, inputs } : undefined
}
