import { sql } from 'kysely'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'

/** The tables whose rows a key identifies within a site, with the column of that key. */
export const KEYS = {
  ticket: 'external_id',
  unit: 'name',
  tag: 'name',
  person: 'email_key',
} as const
export type KeyedTable = keyof typeof KEYS

/**
 * Finds the rows of a site that have these keys, each key given once. `columns` are those to return.
 *
 * Seeks each key in the unique index. `key = ANY(…)` leaves the choice to the database, which knows little about a table that
 * an import is filling: it reads all rows of the site for every batch, so that the work grows with the square of the names.
 * Only the unique index can answer `>=` in this order.
 */
export async function findByKeys<Row extends object>(
  db: Db,
  table: KeyedTable,
  { siteId, keys, columns }: { siteId: string; keys: readonly string[]; columns: readonly (keyof Row & string)[] },
): Promise<Row[]> {
  const key = sql.ref(KEYS[table])
  const found: Row[][] = []
  for (const some of inBatches(keys)) {
    const { rows } = await sql<Row>`
      SELECT ${sql.join(columns.map((column) => sql.ref(`next.${column}`)))}
      FROM unnest(${some}::text[]) AS wanted (key) CROSS JOIN LATERAL (
        SELECT * FROM ${sql.table(table)} WHERE (site_id, ${key}) >= (${siteId}, wanted.key)
        ORDER BY site_id, ${key} LIMIT 1
      ) AS next
      WHERE next.site_id = ${siteId} AND next.${key} = wanted.key`.execute(db)
    found.push(rows)
  }
  return found.flat()
}
