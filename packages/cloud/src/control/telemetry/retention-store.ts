import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { DAY_MS } from './block-store.ts'

/** How many rows one statement deletes. */
const BATCH = 5000

/** Deletes what organizations no longer want to keep, in small steps. Resolves with the number of rows. */
export async function deleteExpired(db: Db, { now, signal }: { now: number; signal?: AbortSignal }): Promise<number> {
  const { rows } = await sql<{ id: string; days: number }>`
    SELECT id, measurement_days AS days FROM organization WHERE measurement_days IS NOT NULL ORDER BY id`.execute(db)
  let deleted = 0
  for (const { id, days } of rows) {
    // Whole days in UTC, because a block is one.
    const before = Math.floor(now / DAY_MS) - days
    const series = sql`SELECT group_id, slot FROM measurement_series JOIN device ON device.id = device_id
      WHERE device.organization_id = ${id}`
    deleted += await deleteInSteps(db, signal, () => expiredBlocks(series, before))
    deleted += await deleteInSteps(db, signal, () => expiredFrames(series, before * DAY_MS))
    deleted += await deleteInSteps(
      db,
      signal,
      () => sql`
        DELETE FROM measurement_gap WHERE ctid = ANY (ARRAY(
          SELECT measurement_gap.ctid FROM measurement_gap JOIN device ON device.id = device_id
          WHERE device.organization_id = ${id} AND to_at < ${new Date(before * DAY_MS)} LIMIT ${BATCH}
        ))`,
    )
  }
  return deleted
}

type Statement = ReturnType<typeof sql>

/** The first blocks before a day. */
const expiredBlocks = (series: Statement, day: number) => sql`
  DELETE FROM measurement_block WHERE ctid = ANY (ARRAY(
    SELECT block.ctid FROM (${series}) AS series
    CROSS JOIN LATERAL (
      SELECT ctid FROM measurement_block
      WHERE measurement_block.group_id = series.group_id AND measurement_block.slot = series.slot AND day < ${day}
      LIMIT ${BATCH}
    ) AS block
    LIMIT ${BATCH}
  ))`

/** The first frames before a time. */
const expiredFrames = (series: Statement, before: number) => sql`
  DELETE FROM measurement_frame WHERE ctid = ANY (ARRAY(
    SELECT frame.ctid FROM (${series}) AS series
    CROSS JOIN LATERAL (
      SELECT ctid FROM measurement_frame
      WHERE series.slot = 1 AND measurement_frame.group_id = series.group_id AND at < ${before}
      LIMIT ${BATCH}
    ) AS frame
    LIMIT ${BATCH}
  ))`

async function deleteInSteps(db: Db, signal: AbortSignal | undefined, next: () => Statement): Promise<number> {
  for (let deleted = 0; ; ) {
    const { numAffectedRows = 0n } = await next().execute(db)
    deleted += Number(numAffectedRows)
    if (numAffectedRows < BATCH || signal?.aborted) return deleted
  }
}

/** How long the measurements of a removed device are kept. */
export const ORPHAN_KEPT_MS = 30 * DAY_MS

/** Deletes the measurements of devices that were removed a while ago, in small steps. Resolves with the number of rows. */
export async function deleteOrphans(db: Db, { now, signal }: { now: number; signal?: AbortSignal }): Promise<number> {
  await noteOrphans(db, new Date(now))
  const { rows } = await sql<{ id: string }>`
    SELECT device_id AS id FROM measurement_orphan
    WHERE since <= ${new Date(now - ORPHAN_KEPT_MS)} ORDER BY device_id`.execute(db)
  let deleted = 0
  for (const { id } of rows) {
    const series = sql`SELECT group_id, slot FROM measurement_series WHERE device_id = ${id}`
    deleted += await deleteInSteps(db, signal, () => expiredBlocks(series, 2 ** 31 - 1))
    deleted += await deleteInSteps(db, signal, () => expiredFrames(series, Number.MAX_SAFE_INTEGER))
    if (signal?.aborted) return deleted
    await sql`DELETE FROM measurement_gap WHERE device_id = ${id}`.execute(db)
    await sql`DELETE FROM measurement_series WHERE device_id = ${id}`.execute(db)
    await sql`DELETE FROM measurement_orphan WHERE device_id = ${id}`.execute(db)
  }
  return deleted
}

async function noteOrphans(db: Db, since: Date): Promise<void> {
  await sql`
    INSERT INTO measurement_orphan (device_id, since)
    SELECT device_id, ${since} FROM (
      SELECT device_id FROM measurement_series WHERE slot = 1 UNION SELECT device_id FROM measurement_gap
    ) AS measured
    WHERE NOT EXISTS (SELECT FROM device WHERE device.id = measured.device_id)
    ON CONFLICT DO NOTHING`.execute(db)
  await sql`
    DELETE FROM measurement_orphan WHERE EXISTS (SELECT FROM device WHERE device.id = device_id)`.execute(db)
}
