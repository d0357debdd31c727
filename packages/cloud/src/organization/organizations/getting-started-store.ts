import type { GettingStartedSteps } from '@plantroom/contract/api'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** What a new organization has already done, and who does not want to see it. */
export function createGettingStartedStore(db: Db) {
  return {
    /** Every question ends at the first row that answers it. */
    async steps(organizationId: string): Promise<GettingStartedSteps> {
      const { rows } = await sql<GettingStartedSteps>`
        SELECT
          EXISTS (SELECT FROM site WHERE organization_id = ${organizationId}) AS site,
          EXISTS (SELECT FROM device WHERE organization_id = ${organizationId}) AS controller,
          EXISTS (
            SELECT FROM device JOIN technical_system ON device_id = device.id
            WHERE organization_id = ${organizationId}
          ) AS commissioned,
          EXISTS (
            SELECT FROM api_key
            WHERE organization_id = ${organizationId} AND revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > now())
          ) AS key,
          EXISTS (
            SELECT FROM device JOIN override_owner ON device_id = device.id
            WHERE organization_id = ${organizationId}
          ) AS override`.execute(db)
      const [steps] = rows
      if (!steps) throw new Error('the database answered without a row')
      return steps
    },

    /** The site and the controller to continue with: those that are furthest along, the oldest of them. */
    async place(organizationId: string): Promise<{ siteId: string | null; deviceId: string | null }> {
      const device = await db
        .selectFrom('device')
        .leftJoin('technical_system', 'technical_system.device_id', 'device.id')
        .where('device.organization_id', '=', organizationId)
        .orderBy((it) => it('technical_system.id', 'is', null))
        .orderBy('device.created_at')
        .select(['device.site_id as siteId', 'device.id as deviceId'])
        .limit(1)
        .executeTakeFirst()
      if (device) return device
      const site = await db
        .selectFrom('site')
        .where('organization_id', '=', organizationId)
        .orderBy('created_at')
        .select('id')
        .limit(1)
        .executeTakeFirst()
      return { siteId: site?.id ?? null, deviceId: null }
    },

    async isDismissed(userId: string, organizationId: string): Promise<boolean> {
      const row = await db
        .selectFrom('dismissed_checklist')
        .where('user_id', '=', userId)
        .where('organization_id', '=', organizationId)
        .select('user_id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Notes whether a person wants to see the list. Returns whether that changed. */
    async setDismissed(userId: string, organizationId: string, isDismissed: boolean): Promise<boolean> {
      const row = { user_id: userId, organization_id: organizationId }
      if (isDismissed) {
        const added = db.insertInto('dismissed_checklist').values(row)
        const [{ numInsertedOrUpdatedRows = 0n } = {}] = await added.onConflict((it) => it.doNothing()).execute()
        return numInsertedOrUpdatedRows > 0n
      }
      const { numDeletedRows } = await db
        .deleteFrom('dismissed_checklist')
        .where('user_id', '=', userId)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
