import type { SiteLimitInterval } from '@plantroom/contract/fleet-limit'
import { isKept, marginOf } from '@plantroom/contract/power-limit'
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

interface OwnedInterval {
  interval: SiteLimitInterval
  /** The caller that placed the limit. */
  owner: string | null
  /** The caller that placed the strictest limit, if a caller placed it. */
  strictestOwner: string | null
}

export type IntervalStore = ReturnType<typeof createIntervalStore>

/** The intervals of power limits, which are audit entries of their own phase. */
export function createIntervalStore(db: Db) {
  return {
    /** Lists intervals by their beginning, the oldest first. */
    async list({ organizationId, siteId, from, to, limit, cursor }: IntervalQuery): Promise<Page<OwnedInterval>> {
      const position = sql.ref('position')
      const rows = await db
        .selectFrom('report')
        .leftJoin('override_owner as owner', (join) =>
          join.onRef('owner.device_id', '=', 'report.device_id').onRef('owner.override_id', '=', 'report.override_id'),
        )
        .leftJoin('override_owner as strictest', (join) =>
          join
            .onRef('strictest.device_id', '=', 'report.device_id')
            .on(sql<boolean>`strictest.override_id = interval -> 'limitedBy' ->> 'limitId'`),
        )
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
        .select(['report.device_id as deviceId', 'report.override_id as limitId', 'report.placed_by as placedBy'])
        .select(['owner.placed_by as owner', 'strictest.placed_by as strictestOwner', 'interval', 'position'])
        .orderBy('interval_from')
        .orderBy('position')
        .limit(limit + 1)
        .execute()
      const known = rows.flatMap(({ interval, ...row }) => (interval ? [{ ...row, interval }] : []))
      return pageOf(
        known,
        limit,
        (row) => row.position,
        ({ interval, position: _, strictestOwner, ...row }) => {
          const { limitedBy = null } = interval
          const owner = row.owner ?? row.placedBy?.id ?? null
          const { owner: _owner, ...shown } = row
          return {
            owner,
            strictestOwner: limitedBy?.limitId === row.limitId ? owner : strictestOwner,
            interval: {
              ...interval,
              ...shown,
              limitedBy,
              marginKw: marginOf(interval),
              kept: isKept(interval) ?? null,
            },
          }
        },
      )
    },
  }
}
