import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Series, unpackFrames } from './series.ts'

/** Returns the time of the oldest frame of a group in a period. */
export async function findOldestFrame(db: Db, groupId: number, { from, to }: { from: number; to: number }) {
  const { rows } = await sql<{ at: string }>`
    SELECT at FROM measurement_frame
    WHERE group_id = ${groupId} AND at >= ${from} AND at < ${to} ORDER BY at LIMIT 1`.execute(db)
  return rows[0] ? Number(rows[0].at) : null
}

/** Lists groups in the order of their ids, each with the time of its oldest frame before a time, if it has one. */
export async function findOldFrames(
  db: Db,
  { after, before, limit }: { after: number; before: number; limit: number },
): Promise<{ groupId: number; oldest: number | null }[]> {
  const { rows } = await sql<{ group_id: number; oldest: string | null }>`
    SELECT group_id, (
      SELECT at FROM measurement_frame
      WHERE measurement_frame.group_id = series.group_id AND at < ${before}
      ORDER BY at LIMIT 1
    ) AS oldest
    FROM measurement_series AS series
    WHERE slot = 1 AND group_id > ${after}
    ORDER BY group_id LIMIT ${limit}`.execute(db)
  return rows.map(({ group_id, oldest }) => ({ groupId: group_id, oldest: oldest === null ? null : Number(oldest) }))
}

/** Keeps other workers from the blocks of a group until the transaction ends. False when another one has it. */
export async function lockGroup(tx: Db, groupId: number): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtext('plantroom measurement blocks'), ${groupId}) AS locked`.execute(tx)
  return rows[0]?.locked ?? false
}

/** Deletes the first frames of a period. Returns their values by slot. */
export async function takeFrames(
  tx: Db,
  groupId: number,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<Map<number, Series>> {
  const { rows } = await sql<{ packed: Buffer | null }>`
    WITH taken AS (
      DELETE FROM measurement_frame
      WHERE group_id = ${groupId} AND at >= ${from} AND at < coalesce((
        SELECT at FROM measurement_frame
        WHERE group_id = ${groupId} AND at >= ${from} AND at < ${to}
        ORDER BY at OFFSET ${limit} LIMIT 1
      ), ${to})
      RETURNING at, vals, seconds, spans, exceptions
    )
    SELECT string_agg(
      int8send(at) || array_send(vals) || CASE WHEN seconds IS NULL THEN int4send(0) ELSE
        int4send(seconds) || int4send(length(spans)) || spans
        || int4send(coalesce(length(exceptions), 0)) || coalesce(exceptions, '') END,
      ''::bytea ORDER BY at) AS packed FROM taken`.execute(tx)
  return unpackFrames(rows[0]?.packed ?? null)
}

/** Lists the parts of the blocks of a group and day. */
export async function listParts(tx: Db, groupId: number, day: number): Promise<{ slot: number; count: number }[]> {
  const { rows } = await sql<{ slot: number; count: number }>`
    SELECT slot, count FROM measurement_block
    WHERE group_id = ${groupId} AND slot IN (
      SELECT slot FROM measurement_series WHERE group_id = ${groupId}
    ) AND day = ${day}
    ORDER BY slot, part`.execute(tx)
  return rows
}

/** Notes that everything is compacted that can be. */
export async function noteCompacted(db: Db, at: Date): Promise<void> {
  await db.updateTable('measurement_upkeep').set({ compacted_at: at }).execute()
}

/** Returns when a worker last had everything compacted. */
export async function findCompacted(db: Db): Promise<Date> {
  const { compacted_at } = await db.selectFrom('measurement_upkeep').selectAll().executeTakeFirstOrThrow()
  return compacted_at
}
