import type { SiteLimitInterval } from '@plantroom/contract/fleet-limit'
import { isKept } from '@plantroom/contract/power-limit'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Page, type PageQuery, pageOf } from '../../platform/db/page.ts'

interface IntervalQuery extends PageQuery {
  organizationId: string
  siteId: string
  /** Inclusive. */
  from: Date
  /** Exclusive. */
  to: Date
}

export type IntervalStore = ReturnType<typeof createIntervalStore>

/** The intervals of power limits, which are audit entries of their own phase. */
export function createIntervalStore(db: Db) {
  return {
    /** Lists intervals by their beginning, the oldest first. */
    async list({ organizationId, siteId, from, to, limit, cursor }: IntervalQuery): Promise<Page<SiteLimitInterval>> {
      const position = sql.ref('position')
      const rows = await db
        .selectFrom('report')
        .where('organization_id', '=', organizationId)
        .where('site_id', '=', siteId)
        .where('interval_from', '>=', from)
        .where('interval_from', '<', to)
        .$if(cursor !== undefined, (query) =>
          query.where(
            sql<boolean>`(interval_from, ${position}) > (
              SELECT interval_from, ${position} FROM report WHERE site_id = ${siteId} AND ${position} = ${cursor}::bigint
            )`,
          ),
        )
        .select(['device_id as deviceId', 'interval', 'position'])
        .orderBy('interval_from')
        .orderBy('position')
        .limit(limit + 1)
        .execute()
      const known = rows.flatMap(({ interval, ...row }) => (interval ? [{ ...row, interval }] : []))
      return pageOf(
        known,
        limit,
        (row) => row.position,
        ({ deviceId, interval }) => ({ ...interval, deviceId, kept: isKept(interval) ?? null }),
      )
    },
  }
}
