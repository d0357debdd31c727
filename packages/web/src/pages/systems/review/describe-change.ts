import type { Actor } from '@plantroom/contract/activity'
import {
  type CommissioningFile,
  datapointsByReference,
  type FieldChange,
  fullName,
  type HeldDatapoint,
  isSecretField,
  keepsHold,
  type NormalSlot,
} from '@plantroom/contract/commissioning'
import { WEEKDAYS, type Weekday } from '@plantroom/contract/datapoint'
import { listed, shownValue } from '../../../parts/value.ts'
import { commissioning as texts } from '../../../texts/commissioning.ts'
import { findText, format } from '../../../texts/format.ts'

/** Returns the unit of a datapoint, by its name in full or alone; `undefined` when it has none. */
export type UnitOf = (datapoint: string) => string | undefined

/** Finds units in the new file first, then in what it replaces. */
export function unitsOf(...files: readonly (CommissioningFile | null | undefined)[]): UnitOf {
  const finders = files.flatMap((file) => (file ? [datapointsByReference(file)] : []))
  return (name) => finders.flatMap((find) => find(name)).find(({ datapoint }) => datapoint.unit)?.datapoint.unit
}

/** Returns the name in full of a datapoint, as `unitsOf` and the changes use it. */
export const nameInFull = (connection: string, datapoint: string) =>
  fullName({ path: '', connection, datapoint: { name: datapoint, accessType: 'READ', data: {} } })

/** Shows the days of a slot: `Every day`, `Mon to Fri`, or `Mon, Wed, and Sat`. */
export function describeDays(days: readonly Weekday[]): string {
  const inOrder = WEEKDAYS.filter((day) => days.includes(day))
  if (inOrder.length === WEEKDAYS.length) return texts.everyDay
  const [first, last] = [inOrder[0], inOrder.at(-1)]
  if (first === undefined || last === undefined) return texts.notSet
  const isRange = WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === inOrder.length - 1 && inOrder.length > 2
  if (isRange) return format(texts.dayRange, { first: texts.days[first], last: texts.days[last] })
  return listed(inOrder.map((day) => texts.days[day]))
}

/** Shows what a slot writes, with its unit. An offset has its sign. */
export function describeSlotValue({ mode, value }: Pick<NormalSlot, 'mode' | 'value'>, unit: string | undefined) {
  const shown = shownValue(value, unit)
  if (mode !== 'offset') return shown
  return format(texts.offset, { value: value >= 0 ? format(texts.offsetUp, { value: shown }) : shown })
}

/** Shows a slot, like `Mon to Fri, 07:00 to 18:00: 30 %`. */
export function describeSlot(slot: NormalSlot, unit: string | undefined): string {
  const { days, from, to } = slot
  return format(texts.slot, { days: describeDays(days), from, to, value: describeSlotValue(slot, unit) })
}

/** Says what loading a file means for a datapoint that is held. */
export function describeHeld(held: HeldDatapoint, file: Pick<CommissioningFile, 'sameEquipment'>): string {
  const { connection, datapoint, fields, fixed } = held
  if (fields.includes('datapoint')) return format(texts.heldRemoved, { connection, datapoint })
  if (keepsHold(held, file)) return format(texts.heldContinues, { connection, datapoint, fields: listed(fields) })
  const kept = file.sameEquipment && fixed ? fixed : fields
  return format(texts.heldMoved, { connection, datapoint, fields: listed(kept) })
}

/** Describes a slot before and after. */
export function describeSlotChange(
  { from, to }: { from: NormalSlot | undefined; to: NormalSlot | undefined },
  unit: string | undefined,
): string {
  if (from && to) return format(texts.slotChanged, { from: describeSlot(from, unit), to: describeSlot(to, unit) })
  if (to) return format(texts.slotNew, { slot: describeSlot(to, unit) })
  return from ? format(texts.slotRemoved, { slot: describeSlot(from, unit) }) : ''
}

/** Describes a changed field, like `address, register: 100 → 200`. `unit` is that of the datapoint. */
export function describeField(change: FieldChange, unit?: string): string {
  const field = fieldName(change.field)
  if (isSecretField(change)) return format(texts.changeSecret, { field })
  const of = unitOfField(change.field, unit)
  return format(texts.change, { field, from: shownField(change.from, of), to: shownField(change.to, of) })
}

function fieldName(field: string): string {
  const [, group = field, rest = ''] = /^([^.[]+)(.*)$/s.exec(field) ?? []
  const hour = group === 'hourlyLimitsKw' ? /^\[(\d+)\]$/.exec(rest)?.[1] : undefined
  if (hour !== undefined) return format(texts.hour, { from: hourOfDay(Number(hour)), to: hourOfDay(Number(hour) + 1) })
  const label = findText(texts.fields, group) ?? group
  return rest === '' ? label : format(texts.field, { group: label, detail: rest.replace(/^\./, '') })
}

/** Shows a full hour, like `07:00`. */
export const hourOfDay = (hour: number) => `${String(hour).padStart(2, '0')}:00`

const IN_UNIT = /^(?:limits\.(?:min|max|maxStepPerMinute)$|releaseValue|shedValue|writeInputData\.)/

function unitOfField(field: string, unit: string | undefined): string | undefined {
  if (/Seconds$|Interval$/.test(field)) return 's'
  if (/Kw\b/.test(field)) return 'kW'
  return IN_UNIT.test(field) ? unit : undefined
}

function shownField(value: unknown, unit: string | undefined): string {
  if (value === undefined || value === null) return texts.notSet
  // Ports and registers are digits, as the file has them.
  if (typeof value === 'number') return unit === undefined ? String(value) : shownValue(value, unit)
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((item) => shownField(item, unit)).join(', ')
  return JSON.stringify(value)
}

/** Returns who changed something, with the name at that time. */
export function describeWho(by: Actor | null): string {
  if (by?.kind === 'operator') return texts.operator
  if (by?.kind === 'device') return format(texts.controller, { name: by.name ?? by.id ?? '' })
  return by?.name ?? by?.id ?? texts.someone
}
