import type { RequestDetails } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { isSameEmail } from '@plantroom/contract/fold-email'
import {
  columnOf,
  EDITABLE_COLUMN_FIELDS,
  type EditableColumnField,
  LONG_FIELDS,
  WRITTEN_CHARACTERS,
} from '@plantroom/contract/request-fields'
import { RECORDED_FIELDS, type RecordedField } from '@plantroom/contract/tickets'
import type { Db } from '../../platform/db/database.ts'
import { shownText } from './column-values.ts'
import type { RecordedChange } from './history-store.ts'
import { tagsOf } from './request-store.ts'

/** The current values of fields, as lists: how the history keeps them (`kept`) and how callers write them (`given`). */
export type FieldValues = ReadonlyMap<RecordedField, { kept: readonly string[]; given: readonly string[] }>

const isColumn = (name: RecordedField): name is EditableColumnField =>
  EDITABLE_COLUMN_FIELDS.some((column) => column === name)
const isLong = (name: RecordedField) => LONG_FIELDS.some((long) => long === name)

/** The fields that a body names. */
export const fieldsIn = (details: RequestDetails): RecordedField[] =>
  RECORDED_FIELDS.filter((name) => details[name] !== undefined)

/** Reads the current values of some fields of a request, which the caller has locked or just added. */
export async function readValues(tx: Db, requestId: string, names: readonly RecordedField[]): Promise<FieldValues> {
  const columns = names.filter(isColumn)
  const row = await tx
    .selectFrom('ticket')
    .leftJoin('person as assignee', 'assignee.id', 'ticket.assignee_id')
    .leftJoin('person as supervisor', 'supervisor.id', 'ticket.supervisor_id')
    .leftJoin('unit', 'unit.id', 'ticket.unit_id')
    .where('ticket.id', '=', requestId)
    .select(['assignee_id', 'supervisor_id', 'assignee.email as assignee', 'supervisor.email as supervisor'])
    .select('unit.name as unit')
    .select(columns.filter((name) => !isLong(name)).map((name) => `ticket.${columnOf(name)}` as const))
    .select(
      columns
        .filter(isLong)
        .map((name) => shownText<string | null>(`ticket.${columnOf(name)}`, WRITTEN_CHARACTERS).as(columnOf(name))),
    )
    .executeTakeFirstOrThrow()
  const values: Readonly<Record<string, unknown>> = row
  const linked = {
    assignee: () => ({ kept: listOf(row.assignee_id), given: listOf(row.assignee) }),
    supervisor: () => ({ kept: listOf(row.supervisor_id), given: listOf(row.supervisor) }),
    unit: () => same(listOf(row.unit)),
    tags: async () => same(await tagsOf(tx, requestId)),
    watchers: () => watchersOf(tx, requestId),
  }
  const found = new Map<RecordedField, { kept: readonly string[]; given: readonly string[] }>()
  for (const name of names) {
    found.set(name, isColumn(name) ? same(listOf(values[columnOf(name)])) : await linked[name]())
  }
  return found
}

/** Throws `conflict` unless the current values are those that the caller has seen. */
export function requireUnchanged(current: FieldValues, seen: RequestDetails): void {
  for (const name of fieldsIn(seen)) {
    const expected = givenList(seen[name])
    const { given = [] } = current.get(name) ?? {}
    const isSame =
      expected.length === given.length &&
      expected.every((text, place) => text === given[place] || isSameEmail(text, given[place]))
    if (isSame) continue
    throw new Failure('conflict', `${name} was changed by someone else: read the request again, then decide`, name)
  }
}

/** Returns what differs between two readings, for the history. */
export function changesBetween(requestId: string, before: FieldValues, after: FieldValues): RecordedChange[] {
  return [...after].flatMap(([field, { kept: now }]) => {
    const then = before.get(field)?.kept ?? []
    if (JSON.stringify(then) === JSON.stringify(now)) return []
    return [{ requestId, kind: 'changed' as const, field, before: then, after: now }]
  })
}

const same = (values: readonly string[]) => ({ kept: values, given: values })
const listOf = (value: unknown): string[] => (value === null || value === undefined ? [] : [String(value)])
const givenList = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : listOf(value))

async function watchersOf(tx: Db, requestId: string) {
  const rows = await tx
    .selectFrom('ticket_watcher')
    .innerJoin('person', 'person.id', 'person_id')
    .where('ticket_id', '=', requestId)
    .select(['person_id', 'email'])
    .orderBy('position')
    .execute()
  return { kept: rows.map(({ person_id }) => person_id), given: rows.map(({ email }) => email) }
}
