import { type SelectQueryBuilder, sql } from 'kysely'

/** One page of a list. */
export interface Page<Item> {
  items: Item[]
  /** The cursor of the next page; `null` on the last page. */
  next: string | null
}

/** Which page of a list to read: so many items that come after the cursor, or the first ones. */
export interface PageQuery {
  limit: number
  cursor?: string | undefined
}

type CursorColumn<Row> = {
  [Column in keyof Row & string]: Row[Column] extends string | number | null ? Column : never
}[keyof Row & string]

/** Reads one page of a query, in the order of a selected column whose values are unique in the list. */
export async function readPage<Tables, From extends keyof Tables, Row, Item>(
  query: SelectQueryBuilder<Tables, From, Row>,
  { limit, cursor }: PageQuery,
  { by, order }: { by: CursorColumn<Row>; order: 'asc' | 'desc' },
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const column = sql.ref(by)
  const isLater = order === 'asc' ? sql`>` : sql`<`
  const rest = cursor === undefined ? query : query.where(sql<boolean>`${column} ${isLater} ${cursor}`)
  const rows = await rest
    .orderBy(column, order)
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit, (row) => String(row[by]), toItem)
}

/** Builds a page from one row more than the limit, which shows whether there is a next page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(toItem), next: last === undefined ? null : cursorOf(last) }
}
