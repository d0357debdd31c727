import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { addReleases } from './target-end-store.ts'
import { complete, type OnEnded } from './target-store.ts'

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

export type LostShareStore = ReturnType<typeof createLostShareStore>

/**
 * Accepted shares of limits over several controllers that their controllers have lost: they were released there, the power
 * limit is no longer commissioned, or the controller started without its memory. One that is offline keeps its share by itself.
 */
export function createLostShareStore(db: Db, onEnded: OnEnded) {
  return {
    /** Returns limits of which a share is lost, the first to end first. */
    async find(now: RawBuilder<Date>, most: number): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        SELECT dispatch.id FROM fleet_dispatch AS dispatch WHERE EXISTS (
          SELECT FROM fleet_target AS target, device_state AS state WHERE ${IS_LOST(now)}
        ) ORDER BY to_at, id LIMIT ${most}`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Ends the lost shares of a limit and splits its total again, both in one transaction. */
    split: (id: string, now: RawBuilder<Date>): Promise<void> =>
      db.transaction().execute(async (tx) => {
        // Whoever cancels it or settles its targets locks it first, too. The next statement sees what they did.
        await tx.selectFrom('fleet_dispatch').where('id', '=', id).select('id').forUpdate().execute()
        const { rows } = await sql`
          WITH changed AS (
            UPDATE fleet_target AS target SET outcome = 'refused', reason = 'the controller no longer has the limit',
              is_lost = true, settled_at = ${now}, release = 'pending'
            FROM fleet_dispatch AS dispatch, device_state AS state
            WHERE dispatch.id = ${id} AND ${IS_LOST(now)}
            RETURNING target.*
          ), released AS (${addReleases('changed')})
          UPDATE fleet_dispatch SET state = 'running', ended_at = NULL
          WHERE id IN (SELECT dispatch_id FROM changed) RETURNING id`.execute(tx)
        if (rows.length > 0) await complete(tx, [id], now, onEnded)
      }),
  }
}
