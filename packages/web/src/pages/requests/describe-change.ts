import { LONG_FIELDS } from '@plantroom/contract/request-fields'
import type { HistoryField, TicketChange } from '@plantroom/contract/tickets'
import { format } from '../../texts/format.ts'
import { changedFields } from '../../texts/request-fields.ts'
import { history } from '../../texts/request-parts.ts'
import { valueText } from './describe-field.ts'

/** Describes a change in one sentence. Long texts are not part of it: see `isLongText`. */
export function describeChange({ kind, field, from, to, by }: TicketChange): string {
  const who = actorName(by)
  if (kind === 'filled' && field !== null) return format(history.filled, { who, field: changedFields[field] })
  if (kind !== 'changed' || field === null)
    return format(kind === 'imported' ? history.imported : history.created, { who })
  const values = { who, field: changedFields[field], from: shownValues(field, from), to: shownValues(field, to) }
  if (isLongText(field)) return format(history.changedText, values)
  if (from.length === 0) return format(history.set, values)
  return to.length === 0 ? format(history.removed, values) : format(history.changed, values)
}

/** Reports whether the values of a field are texts with lines. */
export function isLongText(field: HistoryField | null): boolean {
  return LONG_FIELDS.some((long) => long === field)
}

export function actorName({ kind, name }: TicketChange['by']): string {
  if (kind === 'key') return format(history.key, { name: name ?? '' })
  if (kind === 'operator') return history.operator
  return name ?? history.someone
}

function shownValues(field: HistoryField, values: TicketChange['from']): string {
  return values.map((value) => (value === null ? history.removedPerson : shownValue(field, value))).join(', ')
}

/** Names of people and of languages need no quotation marks. */
const UNQUOTED: readonly HistoryField[] = ['language', 'assignee', 'supervisor', 'watchers']

function shownValue(field: HistoryField, value: string): string {
  if (field === 'safetyHazard') return value === 'true' ? history.yes : history.no
  const text = valueText(field, value)
  return UNQUOTED.includes(field) ? text : format(history.value, { text })
}
