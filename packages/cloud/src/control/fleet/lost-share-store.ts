import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { addReleases } from './target-end-store.ts'

/** A state that was sent so shortly after the acceptance, or before the end, may be from before or after it. */
const UNCLEAR = sql`interval '30 seconds'`

/** Of `dispatch`, a shared limit in force, the shares in `target` that the controller no longer lists in its `state`. */
const IS_LOST = (now: RawBuilder<Date>) => sql`
  dispatch.kind = 'limit' AND dispatch.state = 'completed' AND dispatch.targets > 1 AND dispatch.to_at > ${now} + ${UNCLEAR}
  AND target.dispatch_id = dispatch.id AND target.outcome = 'accepted' AND NOT target.is_replaced
  AND state.device_id = target.device_id AND state.received_at > target.settled_at + ${UNCLEAR}
  AND NOT coalesce(
    state.document -> 'powerLimit' -> 'limits' @> jsonb_build_array(jsonb_build_object('id', target.override_id)), false
  )
  -- What a controller without its memory had is given back to it.
  AND state.document -> 'memory' -> 'lost' IS NULL AND NOT EXISTS (
    SELECT FROM device_replacement AS replacement WHERE replacement.device_id = target.device_id
      AND (replacement.finished_at IS NULL OR replacement.finished_at + ${UNCLEAR} >= state.received_at)
  )`

/**
 * Ends accepted shares of limits over several controllers that their controllers have lost: they were released there, the
 * power limit is no longer commissioned, or the controller started without its memory. Returns the dispatches, which are
 * locked and running again. One that is offline keeps its share by itself.
 */
export async function endLostShares(tx: Db, now: RawBuilder<Date>): Promise<string[]> {
  const { rows: locked } = await sql<{ id: string }>`
    SELECT id FROM fleet_dispatch WHERE state = 'completed' AND id IN (
      SELECT dispatch.id FROM fleet_dispatch AS dispatch, fleet_target AS target, device_state AS state WHERE ${IS_LOST(now)}
    ) ORDER BY id FOR UPDATE SKIP LOCKED`.execute(tx)
  if (locked.length === 0) return []
  // Looked at again: another process may have ended them before the lock.
  const { rows } = await sql<{ id: string }>`
    WITH changed AS (
      UPDATE fleet_target AS target SET
        outcome = 'refused', reason = 'the controller no longer has the limit', settled_at = ${now}, release = 'pending'
      FROM fleet_dispatch AS dispatch, device_state AS state
      WHERE dispatch.id = ANY(${locked.map(({ id }) => id)}::text[]) AND ${IS_LOST(now)}
      RETURNING target.*
    ), released AS (${addReleases('changed')})
    UPDATE fleet_dispatch SET state = 'running', ended_at = NULL
    WHERE id IN (SELECT dispatch_id FROM changed) RETURNING id`.execute(tx)
  return rows.map(({ id }) => id)
}
