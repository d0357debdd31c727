import { sql } from 'kysely'
import type { Db } from './database.ts'
import { KEYS, type KeyedTable } from './lookup.ts'

/** With fewer rows, any way to read the table is fast. */
const FEW = 100

/** The number of rows that were added to each table. */
export type AddedRows = Readonly<Record<KeyedTable, number>>

/**
 * Returns a function that follows how many rows are added and updates the statistics of each table whenever they have
 * doubled. Without that the database still plans for the first rows, and checks each foreign key by reading all rows of the
 * site. Call it outside transactions: it locks the table against other updates of its statistics.
 */
export function createStatisticsUpdater(db: Db): (added: AddedRows) => Promise<void> {
  const total: Record<KeyedTable, number> = { ticket: 0, unit: 0, tag: 0, person: 0 }
  const known: Record<KeyedTable, number> = { ticket: 0, unit: 0, tag: 0, person: 0 }
  return async (added) => {
    for (const table of Object.keys(total) as KeyedTable[]) {
      total[table] += added[table]
      if (total[table] - known[table] < Math.max(FEW, known[table])) continue
      known[table] = total[table]
      await sql`ANALYZE ${sql.table(table)} (site_id, ${sql.ref(KEYS[table])})`.execute(db)
    }
  }
}

/**
 * Makes a transaction read by index. The database keeps the plan by which it checks a foreign key, and one that it made
 * while a table was small would read that table from end to end for each of a million rows.
 */
export async function preferIndexes(trx: Db): Promise<void> {
  await sql`SET LOCAL enable_seqscan = off`.execute(trx)
}
