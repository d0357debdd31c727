import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Finds when events, dispatches and limits were in force on datapoints, within a time. What was released early counts to the
 * end that it had.
 */
export async function findHeld(
  db: Db,
  organizationId: string,
  datapointIds: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<{ from: number; to: number }[]> {
  const { rows } = await sql<{ from: Date; to: Date }>`
    SELECT target.from_at AS "from", target.to_at AS "to"
    FROM fleet_dispatch AS dispatch JOIN fleet_target AS target ON target.dispatch_id = dispatch.id
    WHERE dispatch.organization_id = ${organizationId} AND dispatch.to_at > ${from}
      AND target.datapoint_id = ANY(${[...datapointIds]}::text[]) AND target.outcome IN ('accepted', 'cancelled')
      AND target.from_at < ${to} AND target.to_at > ${from} AND NOT target.is_replaced`.execute(db)
  return rows.map((row) => ({ from: row.from.getTime(), to: row.to.getTime() }))
}
