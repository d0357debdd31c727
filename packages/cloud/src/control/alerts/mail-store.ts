import type { Alert } from '@plantroom/contract/alerts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { toAlert } from './alert-store.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** A change of an alert that no mail has reported yet. */
export interface UnsentAlert {
  alert: Alert
  siteName: string
}

/** What was sent by mail: each organization at most once a minute, and so many mails an hour. */
export function createAlertMailStore(db: Db) {
  return {
    /** Organizations with unsent changes that may get a mail now. */
    async due(now: Date, mailsPerHour: number): Promise<{ organizationId: string; name: string }[]> {
      const { rows } = await sql<{ organizationId: string; name: string }>`
        SELECT organization.id AS "organizationId", organization.name
        FROM organization
        LEFT JOIN alert_mail sent ON sent.organization_id = organization.id
        WHERE organization.id IN (
            SELECT organization_id FROM alert WHERE NOT told_open OR (closed_at IS NOT NULL AND NOT told_close)
          )
          AND (sent.told_at IS NULL OR sent.told_at <= ${new Date(now.getTime() - MINUTE_MS)})
          AND NOT coalesce(sent.hour_ends_at > ${now} AND sent.mails >= ${mailsPerHour}, false)`.execute(db)
      return rows
    },

    /** Takes all unsent changes of an organization. */
    async take(organizationId: string): Promise<UnsentAlert[]> {
      const rows = await db
        .selectFrom('alert')
        .leftJoin('site', 'site.id', 'alert.site_id')
        .where('alert.organization_id', '=', organizationId)
        .where((eb) =>
          eb.or([eb('told_open', '=', false), eb.and([eb('closed_at', 'is not', null), eb('told_close', '=', false)])]),
        )
        .selectAll('alert')
        .select('site.name as site_name')
        .orderBy('alert.position')
        .execute()
      await this.markTold(organizationId)
      return rows.map((row) => ({ alert: toAlert(row), siteName: row.site_name ?? row.site_id }))
    },

    /** Without an organization, for all of them. */
    async markTold(organizationId?: string): Promise<void> {
      await sql`
        UPDATE alert SET told_open = true, told_close = closed_at IS NOT NULL
        WHERE (NOT told_open OR (closed_at IS NOT NULL AND NOT told_close))
          AND (${organizationId ?? null}::text IS NULL OR organization_id = ${organizationId ?? null})`.execute(db)
    },

    async count(organizationId: string, mails: number, now: Date): Promise<void> {
      const hourEnd = new Date(now.getTime() + HOUR_MS)
      await sql`
        INSERT INTO alert_mail AS sent (organization_id, told_at, hour_ends_at, mails)
        VALUES (${organizationId}, ${now}, ${hourEnd}, ${mails})
        ON CONFLICT (organization_id) DO UPDATE SET
          told_at = excluded.told_at,
          mails = CASE WHEN sent.hour_ends_at > ${now} THEN sent.mails + excluded.mails ELSE excluded.mails END,
          hour_ends_at = CASE WHEN sent.hour_ends_at > ${now} THEN sent.hour_ends_at ELSE excluded.hour_ends_at END`.execute(
        db,
      )
    },
  }
}
