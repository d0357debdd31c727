import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The partitions of `measurement`: one per month in UTC, created when first needed. */
export function createPartitionStore(db: Db) {
  const known = new Set<number>()

  return {
    /** Creates the missing partitions for these times, in milliseconds since 1970. */
    async ensure(times: readonly number[]): Promise<void> {
      for (const at of times) {
        const month = monthOf(at)
        if (known.has(month)) continue
        await createPartition(db, month)
        known.add(month)
      }
    },
    /** Clears the cache, because an operator may have dropped a month. */
    forget: () => known.clear(),
  }
}

function createPartition(db: Db, month: number): Promise<void> {
  const [first, next] = [firstDay(month), firstDay(month + 1)]
  const name = `measurement_${first.slice(0, 7).replace('-', '_')}`
  return db.transaction().execute(async (tx) => {
    // Held until the transaction ends, so that the second of two processes finds the month created.
    await sql`SELECT pg_advisory_xact_lock(hashtext('plantroom measurement partitions'))`.execute(tx)
    const { rows } = await sql<{ exists: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS exists`.execute(tx)
    if (rows[0]?.exists) return
    await sql`CREATE TABLE ${sql.table(name)} (LIKE measurement INCLUDING ALL)`.execute(tx)
    // Attaching avoids the lock of CREATE … PARTITION OF, which waits for every reader (also backups) and blocks writers.
    await sql`ALTER TABLE measurement ATTACH PARTITION ${sql.table(name)}
      FOR VALUES FROM (${sql.lit(first)}) TO (${sql.lit(next)})`.execute(tx)
  })
}

function monthOf(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const firstDay = (month: number) => new Date(Date.UTC(Math.floor(month / 12), month % 12, 1)).toISOString()
