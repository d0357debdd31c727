import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface FirstTenant {
  organization: { id: string; name: string }
  site: { id: string; name: string; timeZone: string }
  user: { id: string; email: string; passwordHash: string }
}

export type SetupStore = ReturnType<typeof createSetupStore>

export function createSetupStore(db: Db) {
  return {
    /** Adds the first organization with its site and administrator. False when a user already exists. */
    addFirst: ({ organization, site, user }: FirstTenant): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        // The second of two concurrent setups waits here and then finds the user of the first.
        await sql`LOCK TABLE user_account IN EXCLUSIVE MODE`.execute(tx)
        if (await tx.selectFrom('user_account').select('id').limit(1).executeTakeFirst()) return false
        await tx.insertInto('organization').values(organization).execute()
        await tx
          .insertInto('site')
          .values({ id: site.id, organization_id: organization.id, name: site.name, time_zone: site.timeZone })
          .execute()
        await tx
          .insertInto('user_account')
          .values({ id: user.id, email: user.email, password_hash: user.passwordHash })
          .execute()
        await tx
          .insertInto('membership')
          .values({ user_id: user.id, organization_id: organization.id, site_id: null, role: 'admin' })
          .execute()
        return true
      }),
  }
}
