import {
  COLUMN_FIELD_NAMES,
  type ColumnFieldName,
  type ColumnFieldValues,
  columnField,
  columnOf,
  LONG_FIELDS,
  type RequestColumns,
} from '@plantroom/contract/request-fields'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { type RawBuilder, sql } from 'kysely'

/** Maximum length of a text that is shown. An export has all of it: one request of a package may contain 90 MB. */
const SHOWN_CHARACTERS = 1_000_000

/** Reads fields from a row of the table `ticket`, with times as the API writes them. */
export function readColumns<Name extends ColumnFieldName>(
  names: readonly Name[],
  row: Pick<RequestColumns, ReturnType<typeof columnOf<Name>>>,
): Pick<ColumnFieldValues, Name> {
  const values: Readonly<Record<string, unknown>> = row
  const entries = names.map((name) => {
    const value = values[columnOf(name)]
    return [name, value instanceof Date ? formatTimestamp(value.getTime()) : value]
  })
  return Object.fromEntries(entries)
}

/** Returns the columns of fields, qualified with the table. */
export function columnsOf<Name extends ColumnFieldName>(names: readonly Name[]) {
  return names.map((name) => `ticket.${columnOf(name)}` as const)
}

/** The values of fields that nobody has set. */
export function emptyValues(): Pick<ColumnFieldValues, NullableField> & { ccEmails: string[] } {
  const entries = COLUMN_FIELD_NAMES.map((name) => [name, columnField(name).isNullable ? null : undefined])
  return { ...Object.fromEntries(entries.filter(([, value]) => value === null)), ccEmails: [] }
}

type NullableField = {
  [Name in ColumnFieldName]: null extends ColumnFieldValues[Name] ? Name : never
}[ColumnFieldName]

/** Shortens a long text in the database, which knows its length without reading it. */
export function shownText<Value extends string | null>(
  column: string,
  characters = SHOWN_CHARACTERS,
): RawBuilder<Value> {
  const text = sql.ref(column)
  const most = sql.lit(characters)
  return sql<Value>`CASE WHEN octet_length(${text}) <= ${most} OR length(${text}) <= ${most} THEN ${text}
    ELSE left(${text}, ${most}) || '…' END`
}

/** The size of the long texts of a row of the table `ticket`. The database reads only their headers. */
export const LONG_TEXT_BYTES = sql<number>`(${sql.join(
  LONG_FIELDS.map((name) => sql`coalesce(octet_length(${sql.ref(`ticket.${columnOf(name)}`)}), 0)`),
  sql` + `,
)})`
