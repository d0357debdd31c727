import { POWER_IS_OLD_MS } from '@plantroom/contract/portfolio'
import type { PowerLimitState } from '@plantroom/contract/power-limit'
import { OPEN_STATES } from '@plantroom/contract/tickets'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { MeterReading } from './site-power.ts'

/** The sites of an organization that a caller sees; `undefined` for all of them. */
export interface Reach {
  organizationId: string
  siteIds: ReadonlySet<string> | undefined
}

/** Clocks of controllers may be a little ahead. A value from further in the future says nothing about now. */
const AHEAD_MS = 60_000

const list = ({ siteIds }: Reach) => (siteIds === undefined ? null : [...siteIds])
/** A condition on the site of a row. */
export const isSeen = (column: ReturnType<typeof sql>, reach: Reach) =>
  sql`(${list(reach)}::text[] IS NULL OR ${column} = ANY (${list(reach)}::text[]))`

export type OverviewStore = ReturnType<typeof createOverviewStore>

/** Reads what is known of all sites of an organization, with one query for each kind of fact. */
export function createOverviewStore(db: Db) {
  return {
    async sites(reach: Reach) {
      const { rows } = await sql<{
        id: string
        name: string
        timeZone: string
        takesRequests: boolean
        tags: string[]
      }>`
        SELECT id, name, time_zone AS "timeZone", maintenance_requests AS "takesRequests",
          ARRAY(SELECT tag FROM site_tag WHERE site_tag.site_id = site.id ORDER BY tag) AS tags
        FROM site
        WHERE organization_id = ${reach.organizationId} AND ${isSeen(sql`id`, reach)}
        ORDER BY name, id`.execute(db)
      return rows
    },

    /** Every controller, with what it last reported; `null` when it never did. */
    async devices(reach: Reach) {
      const { rows } = await sql<{
        id: string
        name: string
        siteId: string
        held: number | null
        troubled: number | null
        powerLimit: Pick<PowerLimitState, 'state' | 'importKw' | 'exportKw'> | null
      }>`
        SELECT device.id, device.name, device.site_id AS "siteId", state.held, state.troubled,
          state.power_limit AS "powerLimit"
        FROM device LEFT JOIN device_state AS state ON state.device_id = device.id
        WHERE device.organization_id = ${reach.organizationId} AND ${isSeen(sql`device.site_id`, reach)}
        ORDER BY device.name, device.id`.execute(db)
      return rows
    },

    /** The number of open alerts by site. */
    async alerts(reach: Reach): Promise<Map<string, number>> {
      const { rows } = await sql<{ siteId: string; count: number }>`
        SELECT site_id AS "siteId", count(*)::integer AS count FROM alert
        WHERE organization_id = ${reach.organizationId} AND closed_at IS NULL AND ${isSeen(sql`site_id`, reach)}
        GROUP BY site_id`.execute(db)
      return new Map(rows.map(({ siteId, count }) => [siteId, count]))
    },

    /** The number of open requests by site. */
    async openRequests(siteIds: readonly string[]): Promise<Map<string, number>> {
      const { rows } = await sql<{ siteId: string; count: number }>`
        SELECT site_id AS "siteId", count(*)::integer AS count FROM ticket
        WHERE site_id = ANY (${siteIds}::text[]) AND state = ANY (${[...OPEN_STATES]}::text[])
        GROUP BY site_id`.execute(db)
      return new Map(rows.map(({ siteId, count }) => [siteId, count]))
    },

    /** Every datapoint that may be the power of its site, with its latest value where that is not old. */
    async meters(reach: Reach, now: number): Promise<MeterReading[]> {
      const { rows } = await sql<Omit<MeterReading, 'at'> & { at: string | null }>`
        WITH limited AS (
          SELECT meter.technical_system_id, meter.id FROM limited_meter AS meter
          JOIN device ON device.id = meter.device_id WHERE device.organization_id = ${reach.organizationId}
        ), power AS (
          SELECT technical_system_id, id FROM listed_datapoint
          WHERE organization_id = ${reach.organizationId} AND is_power
          UNION SELECT * FROM limited
        )
        SELECT device.site_id AS "siteId", point.id, point.unit, point.tags,
          point.is_peak_meter OR EXISTS (
            SELECT FROM limited WHERE (limited.technical_system_id, limited.id) = (point.technical_system_id, point.id)
          ) AS "isControlMeter",
          latest.value, latest.at
        FROM power JOIN listed_datapoint AS point USING (technical_system_id, id)
        JOIN device ON device.id = point.device_id
        LEFT JOIN measurement_series AS series ON series.device_id = point.device_id AND series.datapoint_id = point.id
        LEFT JOIN LATERAL (
          SELECT at, vals[series.slot] AS value FROM measurement_frame AS frame
          WHERE frame.group_id = series.group_id AND vals[series.slot] IS NOT NULL
            AND at > ${now - POWER_IS_OLD_MS}::bigint AND at <= ${now + AHEAD_MS}::bigint
          ORDER BY at DESC LIMIT 1
        ) AS latest ON true
        WHERE ${isSeen(sql`device.site_id`, reach)}`.execute(db)
      return rows.map((row) => ({ ...row, at: row.at === null ? null : Number(row.at) }))
    },
  }
}
