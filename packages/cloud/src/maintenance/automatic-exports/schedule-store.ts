import type { Db } from '../../platform/db/database.ts'
import { keyIsValid } from './export-store.ts'

const MINUTE_MS = 60_000

/** Records, once a minute, that a worker has looked at everything: alerts notice the absence of workers by it. */
export async function noteLook(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('automatic_export_look')
    .where('looked_at', '<', new Date(now.getTime() - MINUTE_MS))
    .set({ looked_at: now })
    .execute()
}

/** Locks an automatic export that is due. Another worker skips it. */
export async function lockDue(db: Db, now: Date) {
  return db
    .selectFrom('automatic_export')
    .innerJoin('site', 'site.id', 'automatic_export.site_id')
    .where('automatic_export.enabled', '=', true)
    .where('automatic_export.next_at', '<=', now)
    .where('site.maintenance_requests', '=', true)
    .where(keyIsValid(now))
    .select(['site_id as siteId', 'automatic_export.organization_id as organizationId', 'schedule'])
    .select(['site.time_zone as timeZone', 'next_at as nextAt'])
    .orderBy('next_at')
    .limit(1)
    .forUpdate('automatic_export')
    .skipLocked()
    .executeTakeFirst()
}

/** Locks an automatic export whose site has moved to another time zone. */
export async function lockMoved(db: Db) {
  return db
    .selectFrom('automatic_export')
    .innerJoin('site', 'site.id', 'automatic_export.site_id')
    .whereRef('automatic_export.time_zone', '<>', 'site.time_zone')
    .select(['site_id as siteId', 'schedule', 'site.time_zone as timeZone', 'next_at as nextAt'])
    .limit(1)
    .forUpdate('automatic_export')
    .skipLocked()
    .executeTakeFirst()
}

export async function setNextRun(
  db: Db,
  siteId: string,
  { nextAt, timeZone }: { nextAt: Date; timeZone: string },
): Promise<void> {
  await db
    .updateTable('automatic_export')
    .where('site_id', '=', siteId)
    .set({ next_at: nextAt, time_zone: timeZone })
    .execute()
}
