import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The partitions of `measurement`: one a month, in UTC, made when it is first needed. */
export function createPartitionStore(db: Db) {
  const known = new Set<number>()

  return {
    /** Resolves when there is a partition for each of these times, in milliseconds since 1970. */
    async require(times: readonly number[]): Promise<void> {
      for (const at of times) {
        const month = monthOf(at)
        if (known.has(month)) continue
        await makeUnlessThere(db, month)
        known.add(month)
      }
    },
    /** What is known may no longer hold: an operator may have dropped a month. */
    forget: () => known.clear(),
  }
}

function makeUnlessThere(db: Db, month: number): Promise<void> {
  const [first, next] = [firstDay(month), firstDay(month + 1)]
  const name = `measurement_${first.slice(0, 7).replace('-', '_')}`
  return db.transaction().execute(async (tx) => {
    // To the end of the transaction: of two processes that need the same month, the second finds it made.
    await sql`SELECT pg_advisory_xact_lock(hashtext('plantroom measurement partitions'))`.execute(tx)
    const { rows } = await sql<{ there: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS there`.execute(tx)
    if (rows[0]?.there) return
    await sql`CREATE TABLE ${sql.table(name)} (LIKE measurement INCLUDING ALL)`.execute(tx)
    // Attached, not created as a partition: that would wait for every reader, a backup too, and all writers behind it.
    await sql`ALTER TABLE measurement ATTACH PARTITION ${sql.table(name)}
      FOR VALUES FROM (${sql.lit(first)}) TO (${sql.lit(next)})`.execute(tx)
  })
}

function monthOf(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const firstDay = (month: number) => new Date(Date.UTC(Math.floor(month / 12), month % 12, 1)).toISOString()
