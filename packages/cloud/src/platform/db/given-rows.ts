import { type RawBuilder, sql } from 'kysely'
import type { Schema } from './schema.ts'
import { storableJson } from './storable-text.ts'

/** The types of columns, and what a value of each is here. */
interface ValueOf {
  text: string
  integer: number
  smallint: number
  bigint: number | string
  'double precision': number
  boolean: boolean
  timestamptz: Date | string
  bytea: Uint8Array
  json: unknown
  jsonb: unknown
  'text[]': readonly string[]
  'double precision[]': readonly (number | null)[]
}
type ColumnType = keyof ValueOf

/** A type, and how to read a value of it from an item and its place in the list. */
type ReadColumn<Item> = {
  [Type in ColumnType]: readonly [type: Type, read: (item: Item, place: number) => ValueOf[Type] | null | undefined]
}[ColumnType]

/** The types that a column may have whose value is the field of that name. */
type TypeOf<Value> = { [Type in ColumnType]: NonNullable<Value> extends ValueOf[Type] ? Type : never }[ColumnType]

/** The name of the field from which a column is read: `siteId` for `site_id`. */
type FieldOf<Column extends string> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<FieldOf<Rest>>}`
  : Column

type Columns<Item, Name extends string> = {
  [Column in Name]: ReadColumn<Item> | (FieldOf<Column> extends keyof Item ? TypeOf<Item[FieldOf<Column>]> : never)
}

/**
 * Makes a table `given` of items, for the FROM of a statement: one parameter for each column, however many rows there are. A
 * column has a type and a function; the type is enough when items have a field of that name.
 */
export function givenRows<Item, Name extends string>(
  items: readonly Item[],
  columns: Columns<Item, Name>,
): RawBuilder<unknown> {
  const all = Object.entries<ReadColumn<Item> | ColumnType>(columns).map(([name, column]): GivenColumn<Item> => {
    if (typeof column === 'string')
      return { name, type: column, read: (item) => Reflect.get(Object(item), fieldOf(name)) }
    const [type, read] = column
    return { name, type, read }
  })
  return givenColumns(items, all)
}

/** Begins an INSERT of items as rows. `shared` has the columns that are the same in all of them. */
export function insertGiven<Table extends keyof Schema, Item, Name extends keyof Schema[Table] & string>(
  table: Table,
  shared: { readonly [Column in keyof Schema[Table]]?: unknown },
  items: readonly Item[],
  columns: Columns<Item, Name>,
): RawBuilder<unknown> {
  const names = [...Object.keys(columns), ...Object.keys(shared)].map((name) => sql.ref(name))
  const selected = [sql`given.*`, ...Object.values(shared).map((value) => sql`${value}`)]
  return sql`
    INSERT INTO ${sql.table(table)} (${sql.join(names)}) SELECT ${sql.join(selected)} FROM ${givenRows(items, columns)}`
}

const fieldOf = (column: string) => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export interface GivenColumn<Item> {
  name: string
  type: ColumnType
  read(item: Item, place: number): unknown
}

/** Does the same with columns that come from a table of the program. */
export function givenColumns<Item>(items: readonly Item[], columns: readonly GivenColumn<Item>[]): RawBuilder<unknown> {
  const arrays = columns.map(({ type, read }) => {
    const values = items.map((item, place) => sent(type, read(item, place)))
    return sql`${values}::${sql.raw(isList(type) ? 'text' : type)}[]`
  })
  const names = columns.map(({ name }) => sql.ref(name))
  const rows = sql`unnest(${sql.join(arrays)}) AS given (${sql.join(names)})`
  if (!columns.some(({ type }) => isList(type))) return rows
  const selected = columns.map(({ name, type }) => sql`${sql.ref(name)}::${sql.raw(type)} AS ${sql.ref(name)}`)
  return sql`(SELECT ${sql.join(selected)} FROM ${rows}) AS given`
}

/** PostgreSQL has no arrays of arrays of different lengths: those travel as texts. */
const isList = (type: ColumnType) => type.endsWith('[]')

function sent(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (type === 'json' || type === 'jsonb') return storableJson(value)
  return Array.isArray(value) ? `{${value.map(element).join(',')}}` : value
}

const element = (value: unknown) => (typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value))
