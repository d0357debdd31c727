import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { addTasks } from '../devices/index.ts'

export const PLACEMENT = 'fleet-place'
export const RELEASE = 'fleet-release'

/** The subject of the tasks of a target. */
export const SUBJECT = sql`target.dispatch_id || '/' || target.position`

/** A task of this kind is about the target. */
export const isTaskOf = (kind: string) =>
  sql`task.kind = ${kind} AND task.device_id = target.device_id AND task.subject = ${SUBJECT}`

/** Adds tasks for the targets in `changed` whose release is pending. It is of no use when the window is over. */
export const addReleases = (changed: string) =>
  addTasks(
    RELEASE,
    sql`SELECT device_id, ${SUBJECT} AS subject, NULL::timestamptz AS due_at, to_at AS ends_at
      FROM ${sql.table(changed)} AS target WHERE release = 'pending'`,
  )

interface TargetEnd {
  now: RawBuilder<Date>
  /** Decided for each target, which is `given`, by whether the controller `may_hold` it. */
  outcome: RawBuilder<unknown>
  reason: RawBuilder<unknown>
  /** Also what controllers have accepted. */
  evenAccepted: boolean
}

/**
 * Ends the targets of dispatches, which are locked, and has controllers release what they may hold: what they accepted, and
 * what was sent to them and not answered.
 */
export async function endTargets(
  tx: Db,
  dispatchIds: readonly string[],
  { now, outcome, reason, evenAccepted }: TargetEnd,
): Promise<void> {
  const isOf = sql`target.dispatch_id = ANY(${[...dispatchIds]}::text[])`
  // The task of a device that was removed is gone: the device may have taken the command before.
  await sql`
    WITH gone AS (
      DELETE FROM device_task AS task USING fleet_target AS target
      WHERE ${isOf} AND target.outcome = 'pending' AND ${isTaskOf(PLACEMENT)}
      RETURNING target.dispatch_id, target.position, task.sent_until
    ), given AS (
      SELECT target.dispatch_id, target.position, gone.sent_until,
        gone.position IS NULL OR gone.sent_until IS NOT NULL AS may_hold
      FROM fleet_target AS target LEFT JOIN gone USING (dispatch_id, position)
      WHERE ${isOf} AND (target.outcome = 'pending' OR (${evenAccepted} AND target.outcome = 'accepted'))
    ), changed AS (
      UPDATE fleet_target AS target SET
        outcome = ${outcome}, reason = ${reason}, settled_at = ${now}, sent_until = given.sent_until,
        release = CASE WHEN given.may_hold THEN 'pending' END
      FROM given WHERE target.dispatch_id = given.dispatch_id AND target.position = given.position
      RETURNING target.*
    ) ${addReleases('changed')}`.execute(tx)
}

/** Nothing is left to release when the window is over: controllers end an override themselves. Returns how many ended. */
export async function endReleases(db: Db, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH over AS (
      SELECT dispatch_id, position, device_id FROM fleet_target
      WHERE release = 'pending' AND to_at <= ${now} LIMIT ${most} FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM device_task AS task USING over AS target WHERE ${isTaskOf(RELEASE)}
    )
    UPDATE fleet_target AS target SET release = 'unconfirmed' FROM over
    WHERE target.dispatch_id = over.dispatch_id AND target.position = over.position`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
