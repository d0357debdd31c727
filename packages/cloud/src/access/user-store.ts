import type { Db } from '../db/database.ts'

export type UserStore = ReturnType<typeof createUserStore>

export function createUserStore(db: Db) {
  return {
    /** Adds a person who administers an organization. */
    addAdministrator: (user: { id: string; email: string; passwordHash: string; organizationId: string }) =>
      db.transaction().execute(async (tx) => {
        await tx
          .insertInto('user_account')
          .values({ id: user.id, email: user.email, password_hash: user.passwordHash })
          .execute()
        await tx
          .insertInto('membership')
          .values({ user_id: user.id, organization_id: user.organizationId, site_id: null, role: 'admin' })
          .execute()
      }),
  }
}
