import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { addTargets } from './dispatch-add-store.ts'
import { nextRound, type Share } from './limit-round.ts'
import { addReleases } from './target-end-store.ts'

/** How long controllers have to accept a new share. */
const ROUND_MS = 60_000

/**
 * Splits limits again in which a controller dropped out, and returns those that go on. For dispatches that are locked and have
 * no pending target. Newer shares are placed before older ones are released: the stricter one counts, so that no site is
 * unlimited in between.
 */
export async function splitAgain(tx: Db, ids: readonly string[], now: RawBuilder<Date>): Promise<ReadonlySet<string>> {
  const limits = await tx
    .selectFrom('fleet_dispatch')
    .where('id', 'in', ids)
    .where('kind', '=', 'limit')
    .where('state', '=', 'running')
    .where('targets', '>', 1)
    .select(['id', 'direction', 'total_kw as kw', 'from_at as from', 'to_at as to', now.as('now')])
    .execute()
  const continued = new Set<string>()
  for (const { id, direction, kw, from, to, now: at } of limits) {
    if (direction === null || kw === null) continue
    const shares = await sharesOf(tx, id, direction === 'import' ? 1 : -1)
    const { outdated, failed, next } = nextRound({ direction, kw }, shares)
    await replace(tx, id, outdated, failed)
    if (next.length === 0 || to <= at) continue
    const deadline = new Date(Math.min(to.getTime(), at.getTime() + ROUND_MS))
    const start = Math.max(from.getTime(), at.getTime())
    const first = Math.max(...shares.map(({ position }) => position)) + 1
    const round = Math.max(...shares.map((share) => share.round)) + 1
    const targets = next.map(({ meter, kw: value }) => ({ ...meter, datapointId: meter.id, value, from: start }))
    await addTargets(tx, [{ id, to, deadline, first, round, targets }])
    await tx.updateTable('fleet_dispatch').where('id', '=', id).set({ deadline }).execute()
    continued.add(id)
  }
  return continued
}

/** The shares that count, and those of the last round. Of a meter that is no longer commissioned, nothing can be moved. */
async function sharesOf(tx: Db, dispatchId: string, sign: 1 | -1): Promise<Share[]> {
  const { rows } = await sql<Share>`
    SELECT target.position, target.round, target.value AS kw, target.outcome = 'accepted' AS "isAccepted",
      ${sign} * (state.document -> 'powerLimit' ->> 'meterKw')::double precision AS "drawnKw",
      json_build_object('id', target.datapoint_id, 'deviceId', target.device_id, 'siteId', target.site_id,
        'guaranteedKw', coalesce(meter.guaranteed_kw, 0), 'importKw', coalesce(meter.import_kw, 0),
        'exportKw', coalesce(meter.export_kw, 0)) AS meter
    FROM fleet_target AS target
    LEFT JOIN limited_meter AS meter ON meter.device_id = target.device_id AND meter.id = target.datapoint_id
    LEFT JOIN device_state AS state ON state.device_id = target.device_id
    WHERE target.dispatch_id = ${dispatchId} AND NOT target.is_replaced
    ORDER BY target.position`.execute(tx)
  return rows
}

async function replace(
  tx: Db,
  dispatchId: string,
  outdated: readonly Share[],
  failed: readonly Share[],
): Promise<void> {
  const positions = (shares: readonly Share[]) => shares.map(({ position }) => position)
  if (failed.length > 0) {
    await sql`
      UPDATE fleet_target SET is_replaced = true
      WHERE dispatch_id = ${dispatchId} AND position = ANY(${positions(failed)}::integer[])`.execute(tx)
  }
  if (outdated.length === 0) return
  await sql`
    WITH changed AS (
      UPDATE fleet_target AS target SET
        is_replaced = true, outcome = 'cancelled', reason = 'the total was split again', release = 'pending'
      WHERE dispatch_id = ${dispatchId} AND position = ANY(${positions(outdated)}::integer[])
      RETURNING target.*
    ) ${addReleases('changed')}`.execute(tx)
}
