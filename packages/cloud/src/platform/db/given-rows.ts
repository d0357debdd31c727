import { type RawBuilder, sql } from 'kysely'

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

/** A type, and how to read a value of it from an item, given also the place of the item in the list. */
export type ReadColumn<Item> = {
  [Type in ColumnType]: readonly [type: Type, read: (item: Item, place: number) => ValueOf[Type] | null | undefined]
}[ColumnType]

/** The types that a column may have whose value is the field of that name. */
type TypeOf<Value> = { [Type in ColumnType]: NonNullable<Value> extends ValueOf[Type] ? Type : never }[ColumnType]

/**
 * Makes a table `given` of items, for the FROM of a statement: one array for each column, however many the rows are. A column
 * is a type when an item has a field of its name, and otherwise a type and a function.
 */
export function givenRows<Item, Name extends string>(
  items: readonly Item[],
  columns: { [Column in Name]: ReadColumn<Item> | (Column extends keyof Item ? TypeOf<Item[Column]> : never) },
): RawBuilder<unknown> {
  const all = Object.entries<ReadColumn<Item> | ColumnType>(columns).map(([name, column]) => {
    const [type, read] =
      typeof column === 'string' ? [column, (item: Item): unknown => Reflect.get(Object(item), name)] : column
    return { name: sql.ref(name), type, values: items.map((item, place) => sent(type, read(item, place))) }
  })
  const names = sql.join(all.map(({ name }) => name))
  const arrays = sql.join(all.map(({ type, values }) => sql`${values}::${sql.raw(isList(type) ? 'text' : type)}[]`))
  const rows = sql`unnest(${arrays}) AS given (${names})`
  if (!all.some(({ type }) => isList(type))) return rows
  const read = all.map(({ name, type }) => (isList(type) ? sql`${name}::${sql.raw(type)} AS ${name}` : name))
  return sql`(SELECT ${sql.join(read)} FROM ${rows}) AS given`
}

/** PostgreSQL has no arrays of arrays of different lengths: those travel as texts. */
const isList = (type: ColumnType) => type.endsWith('[]')

function sent(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (type === 'json' || type === 'jsonb') return JSON.stringify(value)
  return Array.isArray(value) ? `{${value.map(element).join(',')}}` : value
}

const element = (value: unknown) => (typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value))
