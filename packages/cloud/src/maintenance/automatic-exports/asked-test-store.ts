import type { TargetPlace, TargetTest } from '@plantroom/contract/automatic-exports'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A test of a target that a person asked for. */
export interface AskedTest {
  id: string
  organizationId: string
  siteId: string
  targetId: string
  place: TargetPlace
  /** Sealed for the id of the target. */
  secret: Buffer | null
}

/** Tests of targets between the cloud, which is asked for them, and the worker, which runs them. */
export function createAskedTestStore(db: Db) {
  return {
    async add({ id, organizationId, siteId, targetId, place, secret }: AskedTest, now: Date): Promise<void> {
      const asked = { id, organization_id: organizationId, site_id: siteId, target_id: targetId, asked_at: now }
      const values = { ...asked, settings: JSON.stringify(place), secret }
      await db.insertInto('automatic_export_asked').values(values).execute()
    },

    /** Claims the oldest test that is not older than `since`. No other worker gets it, even if this one dies. */
    async claim(about: {
      now: Date
      since: Date
      busyOrganizations: readonly string[]
    }): Promise<AskedTest | undefined> {
      const { now, since, busyOrganizations } = about
      const { rows } = await sql<AskedTest>`
        UPDATE automatic_export_asked SET claimed_at = ${now} WHERE id = (
          SELECT id FROM automatic_export_asked
          WHERE claimed_at IS NULL AND asked_at > ${since} AND organization_id <> ALL (${busyOrganizations}::text[])
          ORDER BY asked_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING id, organization_id AS "organizationId", site_id AS "siteId", target_id AS "targetId",
          settings AS place, secret`.execute(db)
      return rows[0]
    },

    /** Keeps the outcome for the cloud, and the secret no longer. */
    async settle(id: string, outcome: TargetTest): Promise<void> {
      await db
        .updateTable('automatic_export_asked')
        .where('id', '=', id)
        .set({ outcome: JSON.stringify(outcome), secret: null })
        .execute()
    },

    async outcomeOf(id: string): Promise<TargetTest | undefined> {
      const query = db.selectFrom('automatic_export_asked').where('id', '=', id).select('outcome')
      return (await query.executeTakeFirst())?.outcome ?? undefined
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('automatic_export_asked').where('id', '=', id).execute()
    },

    /** Removes those whose cloud process died while it waited. */
    async removeBefore(before: Date): Promise<void> {
      await db.deleteFrom('automatic_export_asked').where('asked_at', '<', before).execute()
    },
  }
}
