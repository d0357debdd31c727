import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { insertGiven } from '../../platform/db/given-rows.ts'

/** An entry that a sink has not got yet. */
export interface UnsentEntry {
  chain: string
  seq: number
  /** The exact signed text. */
  entry: string
}

/** Entries of one chain in a batch, so that a busy organization does not keep the others waiting. */
const PER_CHAIN = 100
const CHAINS = 20

export async function addSink(db: Db, sink: string): Promise<void> {
  await db
    .insertInto('activity_sink')
    .values({ sink })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Makes this transaction the only one that sends to the sink. False when another one does. */
export async function lockSink(tx: Db, sink: string): Promise<boolean> {
  const row = await tx
    .selectFrom('activity_sink')
    .where('sink', '=', sink)
    .select('sink')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the next entries that the sink has not got, in the order of each chain. */
export async function nextUnsent(tx: Db, sink: string): Promise<UnsentEntry[]> {
  const { rows } = await sql<{ chain: string; seq: string; entry: string }>`
    WITH behind AS (
      SELECT head.chain, coalesce(sent.seq, 0) AS seq
      FROM activity_head head
      LEFT JOIN activity_sent sent ON sent.chain = head.chain AND sent.sink = ${sink}
      WHERE head.seq > coalesce(sent.seq, 0)
      ORDER BY head.seq - coalesce(sent.seq, 0), head.chain
      LIMIT ${sql.lit(CHAINS)}
    )
    SELECT next.chain, next.seq, next.entry
    FROM behind
    CROSS JOIN LATERAL (
      SELECT chain, seq, entry FROM activity
      WHERE activity.chain = behind.chain AND activity.seq > behind.seq
      ORDER BY activity.seq
      LIMIT ${sql.lit(PER_CHAIN)}
    ) next
    ORDER BY next.chain, next.seq`.execute(tx)
  return rows.map(({ chain, seq, entry }) => ({ chain, seq: Number(seq), entry }))
}

export async function markSent(tx: Db, sink: string, entries: readonly UnsentEntry[]): Promise<void> {
  const last = new Map(entries.map(({ chain, seq }) => [chain, seq]))
  await sql`
    ${insertGiven('activity_sent', { sink }, [...last], { chain: ['text', ([chain]) => chain], seq: ['bigint', ([, seq]) => seq] })}
    ON CONFLICT (sink, chain) DO UPDATE SET seq = excluded.seq`.execute(tx)
}

/** Counts the entries that a sink has not got yet. */
export async function countUnsent(db: Db, sink: string): Promise<number> {
  const { rows } = await sql<{ unsent: string | null }>`
    SELECT sum(head.seq - coalesce(sent.seq, 0)) AS unsent
    FROM activity_head head
    LEFT JOIN activity_sent sent ON sent.chain = head.chain AND sent.sink = ${sink}`.execute(db)
  return Number(rows[0]?.unsent ?? 0)
}
