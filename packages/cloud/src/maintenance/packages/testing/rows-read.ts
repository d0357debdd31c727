import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import type { ImportBench } from './import-bench.ts'

/** Runs work with connections of its own and returns how many rows it read of each table. */
export async function rowsRead(
  bench: ImportBench,
  work: (db: Db) => Promise<unknown>,
): Promise<Record<string, number>> {
  const count = async () => {
    const { rows } = await sql<{ name: string; read: number }>`
      SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS read
      FROM pg_stat_user_tables`.execute(bench.otherDb)
    return new Map(rows.map(({ name, read }) => [name, read]))
  }
  const connections = async () => {
    const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity`.execute(bench.otherDb)
    return rows.map(({ pid }) => pid)
  }
  const [before, others] = [await count(), await connections()]
  const db = openDatabase({ connectionString: bench.connectionString }, createLog('test', 'silent'))
  await work(db)
  const own = (await connections()).filter((pid) => !others.includes(pid))
  await db.destroy()
  // A connection reports what it has read before it ends.
  await expect
    .poll(async () => (await connections()).filter((pid) => own.includes(pid)), { timeout: 10_000 })
    .toEqual([])
  const after = await count()
  return Object.fromEntries([...after].map(([name, read]) => [name, read - (before.get(name) ?? 0)]))
}
